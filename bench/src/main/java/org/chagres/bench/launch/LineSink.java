package org.chagres.bench.launch;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Where the lines of all ranks go, one at a time.
 *
 * @param out the stream
 * @param lock shared by the sinks that may show on one terminal
 */
record LineSink(OutputStream out, Object lock) {
    /** Writes one line, which begins with {@code prefix}, at once. */
    void write(final byte[] prefix, final byte[] line, final int length) throws IOException {
        final byte[] whole = new byte[prefix.length + length + 1];
        System.arraycopy(prefix, 0, whole, 0, prefix.length);
        System.arraycopy(line, 0, whole, prefix.length, length);
        whole[whole.length - 1] = '\n';
        synchronized (lock) {
            out.write(whole);
            out.flush();
        }
    }
}
