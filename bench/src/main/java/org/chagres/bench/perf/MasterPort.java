package org.chagres.bench.perf;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import org.chagres.bench.UsageException;

/** Finds a port for rank 0 to listen on. */
public final class MasterPort {
    /** Below the range that kernels give to outgoing connections, so that none of those takes the port before rank 0 does. */
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_767;
    private static final int TRIES = 200;

    private MasterPort() {
    }

    /** A port that nobody on this host listens at. */
    public static int pick() {
        for (int i = 0; i < TRIES; i++) {
            final int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
            if (isFree(port)) {
                return port;
            }
        }
        throw new UsageException("found no free port from " + LOWEST + " to " + HIGHEST + " in " + TRIES
                + " tries: start the ranks yourself with MASTER_PORT set");
    }

    private static boolean isFree(final int port) {
        try (ServerSocket socket = new ServerSocket(port, 1)) {
            return socket.isBound();
        } catch (final IOException e) {
            return false;
        }
    }
}
