package org.chagres.memory;

import java.nio.ByteBuffer;

/**
 * How a peer on the same host reaches a domain's table.
 *
 * @param pid the owner's process
 * @param tableFd the table's descriptor there
 */
public record DomainAddress(long pid, int tableFd) {
    public static final int BYTES = 12;

    public void write(final ByteBuffer to) {
        to.putLong(pid).putInt(tableFd);
    }

    public static DomainAddress read(final ByteBuffer from) {
        return new DomainAddress(from.getLong(), from.getInt());
    }
}
