package org.chagres.net;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A client that says whatever a test wants, correctly sealed. */
public final class Intruder implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private byte[] challenge;
    private byte[] hello;

    private Intruder(final Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
    }

    /** Connects as soon as somebody listens. */
    public static Intruder connect(final InetSocketAddress at) throws IOException, InterruptedException {
        for (int attempt = 0;; attempt++) {
            try {
                final Socket socket = new Socket(at.getAddress(), at.getPort());
                socket.setSoTimeout(10_000);
                return new Intruder(socket);
            } catch (final java.net.ConnectException e) {
                if (attempt == 500) {
                    throw e;
                }
                Thread.sleep(10);
            }
        }
    }

    public static Credentials credentials(final String secret, final String world) {
        return Credentials.of(Key.of(secret.getBytes(StandardCharsets.UTF_8)), world);
    }

    /** Says hello and returns the answer: its status, or {@code REFUSED: } and the reason. */
    public String claim(final Claim claim, final Credentials credentials) throws IOException, ProtocolException {
        challenge = in.readNBytes(Handshake.CHALLENGE_BYTES);
        hello = Handshake.hello(claim, credentials, challenge);
        write(hello);
        final byte[] answer = in.readNBytes(Handshake.ANSWER_BYTES);
        if (answer.length < Handshake.ANSWER_BYTES) {
            return "closed";
        }
        final Handshake.Answer said = Handshake.answer(answer, credentials.key(), challenge, hello);
        return said.status() + (said.reason().isEmpty() ? "" : ": " + said.reason());
    }

    /** Says the same hello again, as one who has overheard it would. */
    public byte[] hello() {
        return hello.clone();
    }

    public void write(final byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Writes until the other side hangs up or all is written. */
    public void flood(final byte[] bytes) {
        try {
            write(bytes);
        } catch (final IOException e) {
            // It may hang up before it has heard all of the noise.
        }
    }

    public void frame(final Frame frame) throws IOException {
        write(frame.encode());
    }

    /** The next frame. */
    public Frame frame() throws IOException, ProtocolException {
        final FrameReader reader = new FrameReader();
        final byte[] one = new byte[1];
        while (true) {
            in.readFully(one);
            final Frame frame = reader.next(ByteBuffer.wrap(one));
            if (frame != null) {
                return frame;
            }
        }
    }

    /** Whether the other side has hung up, or does within {@code millis}. */
    public boolean hungUp(final int millis) throws IOException {
        socket.setSoTimeout(millis);
        try {
            while (in.read() >= 0) {
                // Whatever it said before.
            }
            return true;
        } catch (final java.net.SocketTimeoutException e) {
            return false;
        } catch (final IOException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
