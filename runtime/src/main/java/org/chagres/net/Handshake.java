package org.chagres.net;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The three messages with which two processes prove to each other that they know the world's secret, before either allocates anything for the other. All
 * have a fixed size, big-endian:
 *
 * <pre>
 * challenge, by who accepts:  magic 8, nonce 32
 * hello, by who connects:     magic 8, purpose 4, version 4, from 4, to 4, size 4, topic 8, index 4, world 32, nonce 32, HMAC 32
 * answer, by who accepts:     magic 8, status 4, length 4, reason 464, HMAC 32
 * </pre>
 *
 * The hello's HMAC covers the challenge and the hello, the answer's HMAC covers challenge, hello and answer, each with its own label, so that neither can be
 * replayed nor reflected. Who accepts shows nothing made with the secret to who has not proved that it knows it.
 */
final class Handshake {
    static final int CHALLENGE_BYTES = 40;
    static final int HELLO_BYTES = 136;
    static final int ANSWER_BYTES = 512;
    static final int REASON_BYTES = 464;
    private static final long MAGIC = 0x4348414752455302L;
    private static final int NONCE_BYTES = 32;

    private Handshake() {
    }

    /** What becomes of a hello. */
    enum Status {
        ADMITTED(0),
        /** Proven to belong to the world, and yet not wanted, for the reason given. */
        REFUSED(1), OTHER_SECRET(2), OTHER_WORLD(3);

        private final int code;

        Status(final int code) {
            this.code = code;
        }

        private boolean proven() {
            return this == ADMITTED || this == REFUSED;
        }

        private static Status of(final int code) throws ProtocolException {
            for (final Status status : values()) {
                if (status.code == code) {
                    return status;
                }
            }
            throw new ProtocolException("an answer of status " + code);
        }
    }

    /** What a hello says; {@code world} as {@link Credentials} have it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Hello(Claim claim, byte[] world) {}

    record Answer(Status status, String reason) {}

    static byte[] challenge() {
        return ByteBuffer.allocate(CHALLENGE_BYTES).putLong(MAGIC).put(Key.random(NONCE_BYTES)).array();
    }

    static void checkChallenge(final byte[] challenge) throws ProtocolException {
        checkMagic(ByteBuffer.wrap(challenge), CHALLENGE_BYTES);
    }

    private static void checkMagic(final ByteBuffer in, final int bytes) throws ProtocolException {
        if (in.remaining() != bytes || in.getLong() != MAGIC) {
            throw new ProtocolException("not a rank of a Chagres world");
        }
    }

    static byte[] hello(final Claim claim, final Credentials credentials, final byte[] challenge) {
        final ByteBuffer out = ByteBuffer.allocate(HELLO_BYTES)
                .putLong(MAGIC)
                .putInt(claim.purpose().code())
                .putInt(claim.version())
                .putInt(claim.from())
                .putInt(claim.to())
                .putInt(claim.size())
                .putLong(claim.topic())
                .putInt(claim.index())
                .put(credentials.world())
                .put(Key.random(NONCE_BYTES));
        return seal(out.array(), credentials.key(), "hello", challenge);
    }

    static Hello hello(final byte[] bytes) throws ProtocolException {
        final ByteBuffer in = ByteBuffer.wrap(bytes);
        checkMagic(in, HELLO_BYTES);
        final Claim claim = new Claim(Claim.Purpose.of(in.getInt()), in.getInt(), in.getInt(), in.getInt(), in.getInt(),
                in.getLong(), in.getInt());
        final byte[] world = new byte[Credentials.WORLD_BYTES];
        in.get(world);
        return new Hello(claim, world);
    }

    /** Whether who sent {@code hello} knows the secret. */
    static boolean proves(final byte[] hello, final Key key, final byte[] challenge) {
        return sealed(hello, key, "hello", challenge);
    }

    static byte[] answer(final Answer answer, final Key key, final byte[] challenge, final byte[] hello) {
        final byte[] text = answer.reason().getBytes(StandardCharsets.UTF_8);
        final int length = Math.min(text.length, REASON_BYTES);
        final ByteBuffer out = ByteBuffer.allocate(ANSWER_BYTES)
                .putLong(MAGIC)
                .putInt(answer.status().code)
                .putInt(length)
                .put(text, 0, length);
        return answer.status().proven() ? seal(out.array(), key, "answer", challenge, hello) : out.array();
    }

    /** An answer of who has the secret, or one that says that it is another secret or world. */
    static Answer answer(final byte[] bytes, final Key key, final byte[] challenge, final byte[] hello)
            throws ProtocolException {
        final ByteBuffer in = ByteBuffer.wrap(bytes);
        checkMagic(in, ANSWER_BYTES);
        final Status status = Status.of(in.getInt());
        final int length = in.getInt();
        if (length < 0 || length > REASON_BYTES) {
            throw new ProtocolException("an answer with a reason of " + length + " bytes");
        }
        if (!status.proven()) {
            return new Answer(status, "");
        }
        if (!sealed(bytes, key, "answer", challenge, hello)) {
            throw new ProtocolException("who answers does not know the secret of this world");
        }
        return new Answer(status, new String(bytes, in.position(), length, StandardCharsets.UTF_8));
    }

    /** Fills the last bytes with the code of those before. */
    private static byte[] seal(final byte[] bytes, final Key key, final String label, final byte[]... before) {
        System.arraycopy(mac(bytes, key, label, before), 0, bytes, bytes.length - Key.MAC_BYTES, Key.MAC_BYTES);
        return bytes;
    }

    private static boolean sealed(final byte[] bytes, final Key key, final String label, final byte[]... before) {
        final byte[] seal = Arrays.copyOfRange(bytes, bytes.length - Key.MAC_BYTES, bytes.length);
        return Key.same(seal, mac(bytes, key, label, before));
    }

    private static byte[] mac(final byte[] bytes, final Key key, final String label, final byte[]... before) {
        final byte[][] parts = Arrays.copyOf(before, before.length + 1);
        parts[before.length] = Arrays.copyOf(bytes, bytes.length - Key.MAC_BYTES);
        return key.mac(label, parts);
    }
}
