package org.chagres.bench.launch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Passes on what a rank prints, byte for byte, line by line, with a prefix. A last line without an end gets one; a very long one is broken. */
final class LineForwarder {
    /** Where a line without an end is broken. */
    static final int MAX_LINE = 1 << 16;
    private static final int CHUNK = 1 << 13;
    private static final byte[] READY = RankShell.READY.getBytes(StandardCharsets.US_ASCII);

    private final InputStream in;
    private final LineSink sink;
    private final byte[] prefix;
    /** Called at the line that says that the rank's connection stands, which is not passed on; null once it came, or if none comes. */
    private Runnable ready;
    private byte[] line = new byte[256];
    private int length;

    /**
     * @param ready hears of the line {@link RankShell#READY}; null if there is none
     */
    LineForwarder(final InputStream in, final LineSink sink, final String prefix, final Runnable ready) {
        this.in = in;
        this.sink = sink;
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
        this.ready = ready;
    }

    /**
     * Forwards until the rank's end.
     *
     * @return false if the sink takes no more
     */
    boolean run() {
        final byte[] chunk = new byte[CHUNK];
        try {
            for (int read = read(chunk); read >= 0; read = read(chunk)) {
                for (int i = 0; i < read; i++) {
                    take(chunk[i]);
                }
            }
            if (length > 0) {
                flush();
            }
            return true;
        } catch (final IOException e) {
            return false;
        }
    }

    /** The end of a rank's output is the end, however it comes. */
    private int read(final byte[] chunk) {
        try {
            return in.read(chunk);
        } catch (final IOException e) {
            return -1;
        }
    }

    private void take(final byte b) throws IOException {
        if (b == '\n') {
            flush();
            return;
        }
        if (length == line.length) {
            line = Arrays.copyOf(line, 2 * length);
        }
        line[length++] = b;
        if (length == MAX_LINE) {
            flush();
        }
    }

    private void flush() throws IOException {
        if (ready != null && Arrays.equals(line, 0, length, READY, 0, READY.length)) {
            ready.run();
            ready = null;
        } else {
            sink.write(prefix, line, length);
        }
        length = 0;
    }
}
