package org.chagres.net;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Cuts a stream into frames. What it holds grows with what has come, never with a length that somebody announced. */
final class FrameReader {
    private static final int FIRST_BYTES = 4096;

    private final ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES);
    private Frame.Kind kind;
    private int length;
    private byte[] body;
    private int filled;

    /**
     * Takes bytes until a frame is complete.
     *
     * @return the frame, or null if all bytes are taken and more are needed
     * @throws ProtocolException if they begin no frame; the stream is useless from there on
     */
    Frame next(final ByteBuffer in) throws ProtocolException {
        if (kind == null && !begin(in)) {
            return null;
        }
        while (filled < length && in.hasRemaining()) {
            if (filled == body.length) {
                body = Arrays.copyOf(body, (int) Math.min(length, 2L * body.length));
            }
            final int piece = Math.min(in.remaining(), body.length - filled);
            in.get(body, filled, piece);
            filled += piece;
        }
        return filled < length ? null : end();
    }

    private boolean begin(final ByteBuffer in) throws ProtocolException {
        while (header.hasRemaining() && in.hasRemaining()) {
            header.put(in.get());
        }
        if (header.hasRemaining()) {
            return false;
        }
        final Frame.Kind said = Frame.Kind.of(header.get(0));
        length = header.getInt(1);
        said.check(length);
        kind = said;
        body = new byte[Math.min(length, FIRST_BYTES)];
        filled = 0;
        return true;
    }

    private Frame end() {
        final Frame frame = new Frame(kind, body);
        header.clear();
        kind = null;
        body = null;
        return frame;
    }

    /** Bytes allocated for the frame that is coming. */
    int held() {
        return body == null ? 0 : body.length;
    }
}
