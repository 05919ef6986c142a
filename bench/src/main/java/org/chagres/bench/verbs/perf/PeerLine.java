package org.chagres.bench.verbs.perf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;
import org.chagres.bench.verbs.PeerLostException;

/**
 * The TCP connection of two ends: messages are lines of JSON, at most {@value #MAX_LINE} bytes long. A message with the field {@code error} ends the test
 * at the other end too. Used by one thread.
 */
final class PeerLine implements AutoCloseable {
    /** Room for the addresses of {@code -q}'s most queue pairs. */
    static final int MAX_LINE = 4 << 20;
    private static final int SHOWN = 24;
    private static final String ERROR = "error";
    private static final int KEEP_ALIVE_SECONDS = 5;
    private static final int KEEP_ALIVE_COUNT = 5;

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Deque<Fields> messages = new ArrayDeque<>();
    private String ended = "";
    private boolean strange;

    /** Takes over the channel. */
    PeerLine(final SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        // Finds out within 10 s that a peer's host is gone; the process may take as long as it wants.
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_SECONDS);
        channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 1);
        channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_COUNT);
        selector = Selector.open();
        key = channel.register(selector, SelectionKey.OP_READ);
    }

    void send(final Map<String, ?> message) throws IOException {
        final ByteBuffer out = ByteBuffer
                .wrap((new Fields(Map.copyOf(message)).text() + "\n").getBytes(StandardCharsets.UTF_8));
        key.interestOps(SelectionKey.OP_WRITE);
        while (out.hasRemaining()) {
            if (channel.write(out) == 0) {
                selector.select();
                selector.selectedKeys().clear();
            }
        }
        key.interestOps(SelectionKey.OP_READ);
    }

    /** Tells the peer why this end gives up; best effort. */
    void giveUp(final String reason) {
        try {
            send(Map.of(ERROR, reason));
        } catch (final IOException _) {
            // It will see the connection close.
        }
    }

    /**
     * The next message.
     *
     * @param patience zero waits as long as the peer's host is there
     * @throws ProtocolException if something else came
     * @throws PeerLostException if the peer ended, gave up, or nothing came in time
     */
    Fields receive(final Duration patience) throws IOException {
        final long deadline = System.nanoTime() + patience.toNanos();
        while (messages.isEmpty()) {
            if (!ended.isEmpty()) {
                throw ending();
            }
            final long left = patience.isZero() ? 0 : (deadline - System.nanoTime()) / 1_000_000;
            if (left < 0) {
                throw new PeerLostException("the peer said nothing for " + patience.toSeconds() + " s");
            }
            selector.select(patience.isZero() ? 0 : left + 1);
            selector.selectedKeys().clear();
            read();
        }
        final Fields message = messages.remove();
        if (message.has(ERROR)) {
            throw new PeerLostException("the peer gave up: " + message.values().get(ERROR));
        }
        return message;
    }

    /** The next message, which must have the field {@code name}. */
    Fields receive(final String name, final Duration patience) throws IOException {
        final Fields message = receive(patience);
        if (!message.has(name)) {
            throw new ProtocolException("it sent " + message.values().keySet() + " instead of " + name);
        }
        return message;
    }

    /** Whether the peer ended or gave up; does not wait, and allocates nothing as long as the peer is silent. */
    boolean gone() {
        read();
        return !ended.isEmpty() || !messages.isEmpty() && messages.getLast().has(ERROR);
    }

    private void read() {
        try {
            int count = channel.read(bytes.clear());
            while (count > 0) {
                bytes.flip();
                take();
                count = channel.read(bytes.clear());
            }
            if (count < 0 && ended.isEmpty()) {
                end(false, "the peer closed the connection" + (line.size() == 0
                        ? ""
                        : " in the middle of a message, after " + line.size() + " bytes"));
            }
        } catch (final ProtocolException e) {
            end(true, e.getMessage());
        } catch (final IOException e) {
            end(false, "the connection to the peer broke: " + e.getMessage());
        }
    }

    private RuntimeException ending() throws ProtocolException {
        if (strange) {
            throw new ProtocolException(ended);
        }
        return new PeerLostException(ended);
    }

    private void end(final boolean byStrangeness, final String reason) {
        strange = byStrangeness;
        ended = reason;
    }

    private void take() throws ProtocolException {
        while (bytes.hasRemaining()) {
            final byte next = bytes.get();
            if (next == '\n') {
                messages.add(Fields.parse(line.toString(StandardCharsets.UTF_8)));
                line.reset();
            } else if (line.size() == 0 && next != '{') {
                // Told at once, because a stranger may never send the end of a line.
                throw new ProtocolException("it sent no message of the exchange but " + shown());
            } else if (line.size() == MAX_LINE) {
                throw new ProtocolException("it sent a line of more than " + MAX_LINE + " bytes");
            } else {
                line.write(next);
            }
        }
    }

    private String shown() {
        bytes.position(bytes.position() - 1);
        final byte[] first = new byte[Math.min(bytes.remaining(), SHOWN)];
        bytes.get(first);
        return "'" + new String(first, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", "?") + "'";
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
