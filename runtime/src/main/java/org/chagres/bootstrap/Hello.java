package org.chagres.bootstrap;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What a rank says first. A stranger who says anything else is not part of the job. */
record Hello(int version, int size, int rank) {
    static final int VERSION = 1;
    private static final long MAGIC = 0x4348414752455321L;
    private static final int BYTES = 20;

    Frame frame() {
        return new Frame(Frame.Kind.HELLO,
                ByteBuffer.allocate(BYTES).putLong(MAGIC).putInt(version).putInt(size).putInt(rank).array());
    }

    static Hello of(final Frame frame) throws IOException {
        final ByteBuffer in = ByteBuffer.wrap(frame.payload());
        if (frame.kind() != Frame.Kind.HELLO || in.remaining() != BYTES || in.getLong() != MAGIC) {
            throw new IOException("not a rank of a Chagres world");
        }
        return new Hello(in.getInt(), in.getInt(), in.getInt());
    }
}
