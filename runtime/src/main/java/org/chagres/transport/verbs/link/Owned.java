package org.chagres.transport.verbs.link;

import java.util.ArrayDeque;
import java.util.Deque;

/** What an object has made and must close, the latest first. */
final class Owned implements AutoCloseable {
    private final Deque<Runnable> closings = new ArrayDeque<>();

    /** Has something closed before all that was added earlier. */
    void add(final Runnable close) {
        closings.push(close);
    }

    /** Closes everything, whatever fails. Does nothing if that has been done. */
    @Override
    public void close() {
        RuntimeException failed = null;
        while (!closings.isEmpty()) {
            try {
                closings.pop().run();
            } catch (final RuntimeException e) {
                if (failed == null) {
                    failed = e;
                } else {
                    failed.addSuppressed(e);
                }
            }
        }
        if (failed != null) {
            throw failed;
        }
    }
}
