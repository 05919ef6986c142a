package org.chagres.net;

/**
 * Who connects, and what for.
 *
 * @param version what it speaks after the handshake
 * @param from its rank
 * @param to the rank that it means to reach
 * @param size the number of ranks of its world
 * @param topic for data: what the connection is for
 * @param index for data: which of several
 */
public record Claim(Purpose purpose, int version, int from, int to, int size, long topic, int index) {
    /** What this build speaks; it changes with any message after the handshake. The handshake itself stays, so that versions can tell each other apart. */
    public static final int VERSION = 2;

    /** What a connection is for. */
    public enum Purpose {
        /** To the coordinator, while the world forms. */
        JOIN(0),
        /** Between two ranks: messages and liveness. */
        CONTROL(1),
        /** Between two ranks: whatever a link makes of it. */
        DATA(2);

        private final int code;

        Purpose(final int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static Purpose of(final int code) throws ProtocolException {
            for (final Purpose purpose : values()) {
                if (purpose.code == code) {
                    return purpose;
                }
            }
            throw new ProtocolException("unknown purpose " + code);
        }
    }

    public static Claim join(final int from, final int size) {
        return new Claim(Purpose.JOIN, VERSION, from, 0, size, 0, 0);
    }

    public static Claim control(final int from, final int to, final int size) {
        return new Claim(Purpose.CONTROL, VERSION, from, to, size, 0, 0);
    }

    public static Claim data(final int from, final int to, final int size, final long topic, final int index) {
        return new Claim(Purpose.DATA, VERSION, from, to, size, topic, index);
    }
}
