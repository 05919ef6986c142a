package org.chagres.memory;

import java.nio.ByteBuffer;

/**
 * How a peer on the same host reaches a domain's table.
 *
 * @param pid the owner's process
 * @param tableFd the table's descriptor there
 * @param tableAddress the table's address there, for ranks that are threads of one process
 */
public record DomainAddress(long pid, int tableFd, long tableAddress) {
    public static final int BYTES = 20;

    public void write(final ByteBuffer to) {
        to.putLong(pid).putInt(tableFd).putLong(tableAddress);
    }

    public static DomainAddress read(final ByteBuffer from) {
        return new DomainAddress(from.getLong(), from.getInt(), from.getLong());
    }
}
