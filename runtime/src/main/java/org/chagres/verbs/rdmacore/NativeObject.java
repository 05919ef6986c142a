package org.chagres.verbs.rdmacore;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.chagres.verbs.VerbsException;
import org.chagres.verbs.VerbsObject;

/**
 * A node of the tree of objects. It has owners (a queue pair: its domain, its completion queues) and dependents; closing it closes the dependents first,
 * the youngest first.
 *
 * <p>Lock order: the tree's lock, then one object's monitor. Whoever holds the monitor of an open object may use its native counterpart.
 */
abstract class NativeObject implements VerbsObject {
    private final ReentrantLock tree;
    private final NativeObject[] owners;
    private final Set<NativeObject> dependents = new LinkedHashSet<>();
    private volatile boolean closed;

    /** A root, if there are no owners. Call {@link #adopted} when the native object exists. */
    NativeObject(final NativeObject... owners) {
        this.tree = owners.length == 0 ? new ReentrantLock() : owners[0].tree;
        this.owners = owners;
    }

    /** Puts a new object into the tree; the caller holds the lock. */
    final void adopted() {
        for (final NativeObject owner : owners) {
            owner.dependents.add(this);
        }
    }

    /** Gives the native object back; the caller holds lock and monitor, and has closed all dependents. Throws if that fails. */
    abstract void destroy();

    /** What this is, for messages: {@code queue pair 0x11 of rxe0}. */
    @Override
    public abstract String toString();

    final void lock() {
        tree.lock();
    }

    final void unlock() {
        tree.unlock();
    }

    @Override
    public final boolean isClosed() {
        return closed;
    }

    /** Refuses use after close. */
    final void checkOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** Makes something that depends on this, under the lock, so that this cannot be closed meanwhile. */
    final <T> T locked(final java.util.function.Supplier<T> work) {
        tree.lock();
        try {
            checkOpen();
            return work.get();
        } finally {
            tree.unlock();
        }
    }

    final int dependents() {
        return dependents.size();
    }

    @Override
    public final void close() {
        tree.lock();
        try {
            if (!closed) {
                closeDependents();
                closeThis();
            }
        } finally {
            tree.unlock();
        }
    }

    private void closeThis() {
        synchronized (this) {
            closed = true;
            try {
                destroy();
            } catch (final VerbsException failure) {
                closed = false;
                throw failure;
            }
        }
        for (final NativeObject owner : owners) {
            owner.dependents.remove(this);
        }
    }

    /** Closes all that can be closed, and only then says what could not. */
    private void closeDependents() {
        VerbsException failures = null;
        final List<NativeObject> youngestFirst = new ArrayList<>(dependents).reversed();
        for (final NativeObject dependent : youngestFirst) {
            try {
                dependent.close();
            } catch (final VerbsException failure) {
                if (failures == null) {
                    failures = new VerbsException(
                            this + " stays open, because what depends on it cannot be closed: " + failure.getMessage(),
                            failure.call(), failure.errno());
                }
                failures.addSuppressed(failure);
            }
        }
        if (failures != null) {
            throw failures;
        }
    }
}
