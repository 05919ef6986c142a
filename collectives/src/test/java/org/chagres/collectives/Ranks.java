package org.chagres.collectives;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.chagres.bootstrap.LocalMembership;

/**
 * A world of threads of which ranks may fail while the others go on: unlike a {@link World}, it gives tests the memberships. A rank whose task throws has
 * failed for the others, so that they do not wait for it.
 */
final class Ranks implements AutoCloseable {
    private final List<LocalMembership> memberships;
    private final List<Communicator> communicators = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        final Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    });

    /** What a rank does. */
    interface Task {
        void run(Communicator communicator) throws Exception;
    }

    private interface Step {
        void run(int rank) throws Exception;
    }

    Ranks(final int size, final Map<String, String> environment) throws Exception {
        this.memberships = LocalMembership.world(size);
        final Map<String, String> settings = new HashMap<>(Map.of("CHAGRES_IDLE", "yield"));
        settings.putAll(environment);
        final Communicator[] all = new Communicator[size];
        onEveryRank(r -> all[r] = Communicator.of(memberships.get(r), Settings.of(settings)));
        communicators.addAll(List.of(all));
    }

    int size() {
        return memberships.size();
    }

    LocalMembership membership(final int rank) {
        return memberships.get(rank);
    }

    Communicator communicator(final int rank) {
        return communicators.get(rank);
    }

    /** Runs {@code task} on a thread for each rank, waits for all, and throws what the first of them threw. */
    void run(final Task task) throws Exception {
        onEveryRank(r -> task.run(communicators.get(r)));
    }

    private void onEveryRank(final Step step) throws Exception {
        final List<Future<?>> futures = new ArrayList<>();
        for (int r = 0; r < size(); r++) {
            final int rank = r;
            futures.add(threads.submit(() -> {
                try {
                    step.run(rank);
                } catch (final Exception | Error e) {
                    memberships.get(rank).fail(e);
                    throw e;
                }
                return null;
            }));
        }
        Throwable first = null;
        for (final Future<?> future : futures) {
            try {
                future.get();
            } catch (final ExecutionException e) {
                if (first == null) {
                    first = e.getCause();
                } else {
                    first.addSuppressed(e.getCause());
                }
            }
        }
        if (first instanceof final Error e) {
            throw e;
        }
        if (first instanceof final Exception e) {
            throw e;
        }
    }

    @Override
    public void close() {
        try {
            run(Communicator::close);
        } catch (final Exception e) {
            throw new IllegalStateException("closing a rank failed", e);
        } finally {
            threads.shutdown();
        }
    }
}
