package org.chagres.bootstrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A job whose ranks are threads of this JVM that join as processes would. */
final class Ranked implements AutoCloseable {
    static final String SHORT = "1";
    static final String LONG = "20";
    static final long SOON_NS = 5_000_000_000L;

    final int size;
    final int port = freePort();
    final Map<String, String> common = new HashMap<>();
    private final List<Membership> joined = Collections.synchronizedList(new ArrayList<>());

    Ranked(final int size) {
        this.size = size;
        common.putAll(Map.of("WORLD_SIZE", "" + size, "MASTER_ADDR", "127.0.0.1", "MASTER_PORT", "" + port,
                Rendezvous.TIMEOUT_VARIABLE, LONG));
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (final IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    Ranked with(final String name, final String value) {
        common.put(name, value);
        return this;
    }

    InetSocketAddress coordinator() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Joins in a thread of its own. */
    CompletableFuture<Membership> join(final int rank, final String... settings) {
        final Map<String, String> environment = new HashMap<>(common);
        environment.put("RANK", "" + rank);
        for (int i = 0; i < settings.length; i += 2) {
            environment.put(settings[i], settings[i + 1]);
        }
        return inThread(() -> {
            final Membership membership = Rendezvous.join(environment);
            joined.add(membership);
            return membership;
        });
    }

    /** Joins all ranks, the last first. */
    List<Membership> joinAll() {
        final List<CompletableFuture<Membership>> futures = new ArrayList<>();
        for (int rank = size - 1; rank >= 0; rank--) {
            futures.addFirst(join(rank));
        }
        return futures.stream().map(CompletableFuture::join).toList();
    }

    static <T> CompletableFuture<T> inThread(final Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, run -> Thread.ofPlatform().daemon().start(run));
    }

    /** Why a rank could not join. */
    static String refusal(final CompletableFuture<Membership> join) {
        try {
            throw new AssertionError("rank " + join.join().rank() + " joined");
        } catch (final CompletionException e) {
            if (e.getCause() instanceof final JoinException why) {
                return why.getMessage();
            }
            throw e;
        }
    }

    static void await(final BooleanSupplier condition) throws InterruptedException {
        final long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > SOON_NS) {
                throw new AssertionError("it has not come to pass");
            }
            Thread.sleep(2);
        }
    }

    /** Ends a rank as the death of its process would: its connections end without a goodbye. */
    static void kill(final Membership rank) {
        ((Mesh) rank).loop().close();
    }

    @Override
    public void close() {
        joined.reversed().forEach(Membership::close);
    }
}
