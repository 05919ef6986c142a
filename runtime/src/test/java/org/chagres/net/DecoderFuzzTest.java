package org.chagres.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Structured fuzzing of what strangers can send: valid messages, changed in a few places. Whatever comes, only {@link ProtocolException} may come of it. */
class DecoderFuzzTest {
    private static final Key KEY = Key.of("secret".getBytes(StandardCharsets.UTF_8));
    private static final Credentials CREDENTIALS = Credentials.of(KEY, "world");
    private static final int HANDSHAKES = 150_000;
    private static final int STREAMS = 400_000;
    private static final int[] LENGTHS = {0, 1, 7, 8, 9, 2048, 2049, 4096, 4097, 1 << 20, (1 << 20) + 8, (1 << 20) + 9,
            64 << 20, (64 << 20) + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1 };

    private static byte[] mutated(final byte[] valid, final Random random) {
        final byte[] bytes = random.nextInt(10) == 0
                ? Arrays.copyOf(valid, random.nextInt(valid.length * 2))
                : valid.clone();
        for (int changes = random.nextInt(4); changes >= 0 && bytes.length > 4; changes--) {
            final int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + random.nextInt(40)), (byte) -1);
                default -> ByteBuffer.wrap(bytes)
                        .putInt(random.nextInt(bytes.length - 3), LENGTHS[random.nextInt(LENGTHS.length)]);
            }
        }
        return bytes;
    }

    @Test
    void handshakes() throws ProtocolException {
        final Random random = new Random(1);
        final byte[] challenge = Handshake.challenge();
        final byte[] hello = Handshake.hello(Claim.data(3, 4, 8, 99, 2), CREDENTIALS, challenge);
        final byte[] answer = Handshake.answer(new Handshake.Answer(Handshake.Status.REFUSED, "because"), KEY,
                challenge,
                hello);
        assertEquals("because", Handshake.answer(answer, KEY, challenge, hello).reason());
        int decoded = 0;
        for (int i = 0; i < HANDSHAKES; i++) {
            final byte[] mutant = mutated(hello, random);
            final boolean same = Arrays.equals(mutant, hello);
            try {
                Handshake.hello(mutant);
                decoded++;
                assertEquals(same, Handshake.proves(mutant, KEY, challenge), "a forged hello");
            } catch (final ProtocolException e) {
                assertFalse(same);
            }
            final byte[] said = mutated(answer, random);
            try {
                final Handshake.Answer got = Handshake.answer(said, KEY, challenge, hello);
                assertTrue(Arrays.equals(said, answer) || got.status() == Handshake.Status.OTHER_SECRET
                        || got.status() == Handshake.Status.OTHER_WORLD, "a forged answer");
            } catch (final ProtocolException e) {
                assertFalse(Arrays.equals(said, answer));
            }
            try {
                Handshake.checkChallenge(mutated(challenge, random));
            } catch (final ProtocolException e) {
                decoded += e.getMessage().isEmpty() ? 1 : 0;
            }
        }
        assertTrue(decoded > HANDSHAKES / 10, decoded + " mutants came past the first check");
    }

    @Test
    void aHelloIsBoundToItsChallengeAndItsKey() throws ProtocolException {
        final byte[] challenge = Handshake.challenge();
        final Claim claim = Claim.control(1, 0, 2);
        final byte[] hello = Handshake.hello(claim, CREDENTIALS, challenge);
        assertEquals(claim, Handshake.hello(hello).claim());
        assertArrayEquals(CREDENTIALS.world(), Handshake.hello(hello).world());
        assertTrue(Handshake.proves(hello, KEY, challenge));
        assertFalse(Handshake.proves(hello, KEY, Handshake.challenge()));
        assertFalse(Handshake.proves(hello, KEY.derive("world", new byte[16]), challenge));
        assertFalse(Handshake.proves(hello, Key.of(new byte[0]), challenge));
        final byte[] again = Handshake.hello(claim, CREDENTIALS, challenge);
        assertFalse(Arrays.equals(hello, again), "nonces differ");
        // An answer is not a hello, and belongs to one hello.
        final byte[] answer = Handshake.answer(new Handshake.Answer(Handshake.Status.ADMITTED, ""), KEY, challenge,
                hello);
        assertEquals(Handshake.Status.ADMITTED, Handshake.answer(answer, KEY, challenge, hello).status());
        assertThrows(ProtocolException.class, () -> Handshake.answer(answer, KEY, challenge, again));
        assertThrows(ProtocolException.class, () -> Handshake.answer(answer, Key.of(new byte[1]), challenge, hello));
    }

    /** RFC 4231, test case 2, with the label as the beginning of the data. */
    @Test
    void theCodeIsHmacSha256() {
        final byte[] mac = Key.of("Jefe".getBytes(StandardCharsets.US_ASCII))
                .mac("what do ya ", "want for nothing?".getBytes(StandardCharsets.US_ASCII));
        assertEquals("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                java.util.HexFormat.of().formatHex(mac));
    }

    @Test
    void aReasonIsCutToItsPlace() throws ProtocolException {
        final byte[] challenge = Handshake.challenge();
        final byte[] hello = Handshake.hello(Claim.join(1, 2), CREDENTIALS, challenge);
        for (final int length : new int[]{0, 1, 463, 464, 465, 10_000 }) {
            final byte[] answer = Handshake.answer(
                    new Handshake.Answer(Handshake.Status.REFUSED, "x".repeat(length)), KEY, challenge, hello);
            assertEquals(Handshake.ANSWER_BYTES, answer.length);
            assertEquals(Math.min(length, 464), Handshake.answer(answer, KEY, challenge, hello).reason().length());
        }
    }

    private static byte[] stream(final Random random) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int frames = 1 + random.nextInt(3); frames > 0; frames--) {
            final Frame frame = switch (random.nextInt(6)) {
                case 0 -> new Frame(Frame.Kind.MESSAGE, new byte[8 + random.nextInt(60)]);
                case 1 -> Frame.of(Frame.Kind.PING, random.nextLong());
                case 2 -> Frame.of(Frame.Kind.BYE);
                case 3 -> Frame.of(Frame.Kind.EXPELLED, "why");
                case 4 -> new Frame(Frame.Kind.INTRODUCTION, new byte[1 + random.nextInt(60)]);
                default -> new Frame(Frame.Kind.TABLE, new byte[1 + random.nextInt(60)]);
            };
            out.writeBytes(frame.encode());
        }
        return out.toByteArray();
    }

    @Test
    void streamsOfFrames() {
        final Random random = new Random(2);
        int frames = 0;
        int refused = 0;
        for (int i = 0; i < STREAMS; i++) {
            final byte[] bytes = mutated(stream(random), random);
            final FrameReader reader = new FrameReader();
            final ByteBuffer in = ByteBuffer.wrap(bytes);
            try {
                // In pieces, as they come from the wire.
                while (in.limit() > 0 && in.position() < bytes.length) {
                    in.limit(Math.min(bytes.length, in.position() + 1 + random.nextInt(30)));
                    Frame frame = reader.next(in);
                    while (frame != null) {
                        frames++;
                        assertTrue(frame.body().length <= bytes.length);
                        frame = in.hasRemaining() ? reader.next(in) : null;
                    }
                    // A first piece of fixed size, then never more than twice what has come.
                    assertTrue(reader.held() <= Math.max(4096, 2 * bytes.length), reader.held() + " bytes are held");
                }
            } catch (final ProtocolException e) {
                refused++;
            }
        }
        assertTrue(frames > STREAMS / 2 && refused > STREAMS / 10, frames + " frames, " + refused + " refusals");
    }

    @Test
    void aLengthAloneAllocatesNothing() throws ProtocolException {
        final FrameReader reader = new FrameReader();
        assertNull(reader.next(ByteBuffer.wrap(new byte[]{2, 4, 0, 0, 0 })));
        assertTrue(reader.held() <= 4096);
        assertNull(reader.next(ByteBuffer.wrap(new byte[100_000])));
        assertTrue(reader.held() <= 200_000 && reader.held() >= 100_000, reader.held() + "");
    }

    @Test
    void framesComeOutAsTheyWentIn() throws ProtocolException {
        final Random random = new Random(3);
        for (int i = 0; i < 200; i++) {
            final byte[] body = new byte[8 + random.nextInt(20_000)];
            random.nextBytes(body);
            final FrameReader reader = new FrameReader();
            final byte[] wire = new Frame(Frame.Kind.MESSAGE, body).encode();
            Frame got = null;
            for (int at = 0; at < wire.length;) {
                final int piece = Math.min(wire.length - at, 1 + random.nextInt(5000));
                assertNull(got);
                got = reader.next(ByteBuffer.wrap(wire, at, piece));
                at += piece;
            }
            assertArrayEquals(body, got.body());
        }
    }
}
