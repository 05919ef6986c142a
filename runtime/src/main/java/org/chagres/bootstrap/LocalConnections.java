package org.chagres.bootstrap;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.chagres.net.Acceptor;
import org.chagres.net.Credentials;
import org.chagres.net.EventLoop;
import org.chagres.net.Key;
import org.chagres.net.Strangers;

/** Data connections between threads of one JVM: real ones, through the loopback interface. The event loop that makes them starts with the first use. */
final class LocalConnections implements DataHub.Peers, AutoCloseable {
    private static final int KEY_BYTES = 32;

    private final DataHub[] hubs;
    private final Fates fates;
    private final Credentials credentials = Credentials.of(Key.of(Key.random(KEY_BYTES)), "threads of one JVM");
    private final Strangers strangers = new Strangers();
    private EventLoop loop;
    private boolean closed;

    LocalConnections(final int size, final Fates fates) {
        this.hubs = new DataHub[size];
        this.fates = fates;
    }

    /** Those of one rank. */
    synchronized DataConnections of(final int rank) {
        if (closed) {
            throw new IllegalStateException("all ranks have left this world");
        }
        if (loop == null) {
            loop = EventLoop.start("chagres-connections");
        }
        if (hubs[rank] == null) {
            final Acceptor acceptor = Acceptor.open(loop, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    hubs.length, strangers);
            hubs[rank] = new DataHub(loop, acceptor.address(), credentials, rank, this);
            acceptor.start(hubs[rank]);
        }
        return hubs[rank];
    }

    @Override
    public Peer peer(final int rank) {
        return new Peer(rank, "this JVM", ProcessHandle.current().pid(), "this JVM");
    }

    @Override
    public int size() {
        return hubs.length;
    }

    @Override
    public Fates fates() {
        return fates;
    }

    @Override
    public InetSocketAddress reachable(final int peer, final InetSocketAddress at) {
        return at;
    }

    /** Ends the loop, which closes its acceptors, and closes what nobody has accepted. */
    @Override
    public synchronized void close() {
        closed = true;
        if (loop != null) {
            loop.close();
            for (final DataHub hub : hubs) {
                if (hub != null) {
                    hub.close();
                }
            }
        }
    }
}
