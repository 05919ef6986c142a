package org.chagres.collectives;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.chagres.bootstrap.LocalMembership;

/**
 * A world whose ranks are threads of this JVM, for exploring and for tests. Each rank has a thread of its own and a communicator like that of a process.
 * Used by one thread.
 */
public final class World implements AutoCloseable {
    private final List<LocalMembership> memberships;
    private final List<ExecutorService> threads = new ArrayList<>();
    private final List<Communicator> communicators = new ArrayList<>();

    private World(final List<LocalMembership> memberships) {
        this.memberships = memberships;
    }

    /**
     * Starts a world with the settings of this process's environment.
     *
     * @param size ranks, at least 1
     */
    public static World threads(final int size) {
        return threads(size, System.getenv());
    }

    /** Starts a world with settings of its own. */
    public static World threads(final int size, final Map<String, String> environment) {
        Requirements.check();
        final Settings settings = Settings.of(environment);
        final World world = new World(LocalMembership.world(size));
        for (int r = 0; r < size; r++) {
            final String name = "chagres-rank-" + r;
            world.threads.add(Executors.newSingleThreadExecutor(task -> {
                final Thread thread = new Thread(task, name);
                thread.setDaemon(true);
                return thread;
            }));
        }
        try {
            world.communicators
                    .addAll(world.onEveryRank(rank -> Communicator.of(world.memberships.get(rank), settings)));
            return world;
        } catch (final RuntimeException e) {
            world.close();
            throw e;
        }
    }

    /** The number of ranks. */
    public int size() {
        return memberships.size();
    }

    /**
     * Runs {@code task} on every rank's thread and waits for all.
     *
     * @throws RuntimeException the first failure, by time; the ranks that wait for the one that failed end with {@link PeerFailedException}
     */
    public void run(final RankTask task) {
        onEveryRank(rank -> {
            task.run(communicators.get(rank));
            return rank;
        });
    }

    private interface RankCall<T> {
        T call(int rank) throws Exception;
    }

    private <T> List<T> onEveryRank(final RankCall<T> call) {
        final List<Future<T>> futures = new ArrayList<>();
        for (int r = 0; r < size(); r++) {
            final int rank = r;
            futures.add(threads.get(r).submit(() -> {
                try {
                    return call.call(rank);
                } catch (final Exception | Error e) {
                    memberships.get(rank).fail(e);
                    throw e;
                }
            }));
        }
        final List<T> results = new ArrayList<>();
        for (final Future<T> future : futures) {
            try {
                results.add(future.get());
            } catch (final ExecutionException e) {
                results.add(null);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the ranks were running", e);
            }
        }
        final Throwable first = memberships.getFirst().firstCause();
        if (first != null) {
            throw first instanceof final RuntimeException e
                    ? e
                    : new IllegalStateException("a rank failed: " + first, first);
        }
        return results;
    }

    /** Closes every rank's communicator and ends the threads. */
    @Override
    public void close() {
        try {
            for (int r = 0; r < communicators.size(); r++) {
                threads.get(r).submit(communicators.get(r)::close).get();
            }
        } catch (final ExecutionException e) {
            throw new IllegalStateException("closing a rank failed: " + e.getCause().getMessage(), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while closing", e);
        } finally {
            communicators.clear();
            threads.forEach(ExecutorService::shutdown);
        }
    }
}
