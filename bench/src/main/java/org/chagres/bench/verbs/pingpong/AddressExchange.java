package org.chagres.bench.verbs.pingpong;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.chagres.bench.UsageException;

/**
 * The exchange of addresses of rdma-core's {@code ibv_rc_pingpong}, over TCP: the client sends its address, the server makes its queue pair ready and
 * answers with its own, the client closes with {@code done}. So no packet comes before its receiver is ready.
 */
final class AddressExchange {
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.ISO_8859_1);

    private final int port;
    private final int patience;

    /**
     * @param port of TCP; 0 listens on a free one
     * @param patience milliseconds that a peer may take for each step
     */
    AddressExchange(final int port, final int patience) {
        this.port = port;
        this.patience = patience;
    }

    /**
     * The client's part.
     *
     * @return the server's address; its queue pair is ready
     * @throws UsageException if nothing listens there
     * @throws ExchangeException if what listens there is no {@code ibv_rc_pingpong}
     */
    PingpongAddress connect(final String host, final PingpongAddress own) throws IOException {
        try (Socket socket = open(host)) {
            socket.getOutputStream().write(own.message());
            final PingpongAddress remote = receive(socket);
            socket.getOutputStream().write(DONE);
            return remote;
        } catch (final ExchangeException e) {
            throw new UsageException(host + " port " + port + ": " + e.getMessage(), e);
        }
    }

    private Socket open(final String host) throws IOException {
        IOException last = null;
        for (final InetAddress address : addresses(host)) {
            final Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(address, port), patience);
                return socket;
            } catch (final IOException e) {
                socket.close();
                last = e;
            }
        }
        throw new UsageException("no server at " + host + " port " + port + " (" + last.getMessage()
                + "): start it there first, without a host", last);
    }

    private static InetAddress[] addresses(final String host) {
        try {
            return InetAddress.getAllByName(host);
        } catch (final IOException e) {
            throw new UsageException("there is no host called '" + host + "'", e);
        }
    }

    /** Listens; so that the caller may tell. */
    ServerSocket listen() throws IOException {
        final ServerSocket server = new ServerSocket();
        try {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(port), 1);
            return server;
        } catch (final IOException e) {
            server.close();
            throw new UsageException("cannot listen on port " + port + " (" + e.getMessage()
                    + "): another server may run already; -p takes another port", e);
        }
    }

    /**
     * The server's part. Whoever does not keep to the exchange is told of in one line, and the next one gets a chance.
     *
     * @param ready makes the queue pair ready for the client's first packet
     * @param complaints for strangers
     * @return the client's address
     */
    PingpongAddress serve(final ServerSocket server, final PingpongAddress own, final Consumer<PingpongAddress> ready,
            final PrintWriter complaints) throws IOException {
        while (true) {
            try (Socket socket = server.accept()) {
                final PingpongAddress remote;
                try {
                    remote = receive(socket);
                } catch (final ExchangeException e) {
                    complaints.println("chagres: refused " + socket.getInetAddress().getHostAddress() + ": "
                            + e.getMessage());
                    complaints.flush();
                    continue;
                }
                ready.accept(remote);
                socket.getOutputStream().write(own.message());
                awaitDone(socket);
                return remote;
            }
        }
    }

    /** The client says that it has the address. One that went away instead shows soon enough as missing messages. */
    private static void awaitDone(final Socket socket) {
        try {
            socket.getInputStream().readNBytes(DONE.length);
        } catch (final IOException _) {
            // What it would say is not needed.
        }
    }

    private PingpongAddress receive(final Socket socket) throws IOException {
        socket.setSoTimeout(patience);
        final InputStream in = socket.getInputStream();
        final byte[] message = new byte[PingpongAddress.BYTES];
        int got = 0;
        try {
            while (got < message.length) {
                final int more = in.read(message, got, message.length - got);
                if (more < 0) {
                    break;
                }
                got += more;
            }
        } catch (final SocketTimeoutException _) {
            throw new ExchangeException("it sent only " + got + " of the " + message.length
                    + " bytes of an address within " + patience + " ms");
        }
        if (got < message.length && got > 0) {
            PingpongAddress.parse(Arrays.copyOf(message, got));
        }
        if (got < message.length) {
            throw new ExchangeException("it closed the connection without sending an address");
        }
        return PingpongAddress.parse(message);
    }
}
