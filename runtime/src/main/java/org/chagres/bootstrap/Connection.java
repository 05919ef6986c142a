package org.chagres.bootstrap;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.ByteBuffer;

/** A rendezvous connection. Reads are made by one thread; writes may come from any. */
final class Connection implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    Connection(final Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /** Bounds every later read; 0 waits for ever. */
    void readTimeout(final int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    Frame read() throws IOException {
        return Frame.read(in);
    }

    void write(final Frame frame) throws IOException {
        frame.write(out);
    }

    void write(final Frame.Kind kind, final String text) throws IOException {
        write(new Frame(kind, text.getBytes(StandardCharsets.UTF_8)));
    }

    static Frame frame(final PeerFailure failure) {
        final byte[] reason = failure.reason().getBytes(StandardCharsets.UTF_8);
        return new Frame(Frame.Kind.FAILED,
                ByteBuffer.allocate(4 + reason.length).putInt(failure.rank()).put(reason).array());
    }

    static PeerFailure failure(final Frame frame) {
        final ByteBuffer in = ByteBuffer.wrap(frame.payload());
        final int rank = in.getInt();
        return new PeerFailure(rank, StandardCharsets.UTF_8.decode(in).toString());
    }

    static String text(final Frame frame) {
        return new String(frame.payload(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (final IOException e) {
            throw new IllegalStateException("closing a rendezvous connection failed: " + e.getMessage(), e);
        }
    }
}
