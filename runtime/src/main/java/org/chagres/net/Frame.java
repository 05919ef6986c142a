package org.chagres.net;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A message after the handshake: kind 1, length 4, body; big-endian. */
@SuppressWarnings("ArrayRecordComponent") // frames are never compared
public record Frame(Kind kind, byte[] body) {
    static final int HEADER_BYTES = 5;
    private static final int REASON_BYTES = 4096;
    private static final byte[] NOTHING = {};
    private static final Kind[] KINDS = Kind.values();

    /** What a message says, and how long it may be. */
    public enum Kind {
        /** Joining, rank to coordinator: who it is and where it accepts connections. */
        INTRODUCTION(1, 1, 2048),
        /** Joining, coordinator to rank: everyone's introductions. */
        TABLE(2, 1, 64 << 20),
        /** Joining, rank to coordinator: it is connected to all others. */
        READY(3, 0, 0),
        /** Joining, coordinator to rank: all are. */
        GO(4, 0, 0),
        /** Joining, either way: the world cannot form; why. */
        REFUSED(5, 0, REASON_BYTES),
        /** Between ranks: topic 8, body. */
        MESSAGE(6, 8, 8 + (1 << 20)),
        /** Between ranks: answer with the same number. */
        PING(7, 8, 8),
        /** Between ranks: the answer. */
        PONG(8, 8, 8),
        /** Between ranks: nothing but a sign of life. */
        HEARTBEAT(9, 0, 0),
        /** Between ranks: an orderly end. */
        BYE(10, 0, 0),
        /** Between ranks: who gets it counts as failed for who sends it; why. */
        EXPELLED(11, 0, REASON_BYTES);

        private final int code;
        private final int least;
        private final int most;

        Kind(final int code, final int least, final int most) {
            this.code = code;
            this.least = least;
            this.most = most;
        }

        /** The kind of a number from the wire. */
        static Kind of(final int code) throws ProtocolException {
            if (code < 1 || code > KINDS.length) {
                throw new ProtocolException("unknown kind of message " + code);
            }
            return KINDS[code - 1];
        }

        /** Refuses a length that the kind does not allow. */
        void check(final int length) throws ProtocolException {
            if (length < least || length > most) {
                throw new ProtocolException(
                        "a " + this + " of " + length + " bytes: the limits are " + least + " and " + most);
            }
        }
    }

    /** One that is nothing but its kind. */
    public static Frame of(final Kind kind) {
        return new Frame(kind, NOTHING);
    }

    /** One that carries a text, cut to what the kind allows. */
    public static Frame of(final Kind kind, final String text) {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Frame(kind, bytes.length <= kind.most ? bytes : Arrays.copyOf(bytes, kind.most));
    }

    /** One that carries a number. */
    public static Frame of(final Kind kind, final long number) {
        return new Frame(kind, ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    /** The body of a kind that carries a text. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** The number with which the body of a kind that carries one begins. */
    public long number() {
        return ByteBuffer.wrap(body).getLong();
    }

    byte[] encode() {
        return ByteBuffer.allocate(HEADER_BYTES + body.length)
                .put((byte) kind.code)
                .putInt(body.length)
                .put(body)
                .array();
    }
}
