package org.chagres.transport.verbs.link;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.chagres.memory.MemoryDomain;
import org.chagres.verbs.Access;
import org.chagres.verbs.AsyncEvent;
import org.chagres.verbs.Context;
import org.chagres.verbs.Device;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.VerbsException;

/**
 * A device that is open in this process, with one protection domain, for all transports that use it: they share registrations, and each hears all events.
 * Counted: the last to close it closes the device. Any thread may call.
 */
public final class SharedDevice implements AutoCloseable {
    private static final Map<String, SharedDevice> OPEN = new HashMap<>();
    /** How many events are remembered: far more than come between two looks. */
    private static final int EVENTS = 64;
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Context context;
    private final ProtectionDomain domain;
    private final List<Registrations> registrations = new ArrayList<>();
    private final AsyncEvent[] events = new AsyncEvent[EVENTS];
    private final Thread listener;
    private volatile long eventCount;
    private volatile boolean closing;
    private int users;

    private SharedDevice(final Context context) {
        this.context = context;
        this.domain = context.allocateProtectionDomain();
        this.listener = Thread.ofPlatform()
                .daemon()
                .name("chagres-events-" + context.device().name())
                .unstarted(this::listen);
    }

    /**
     * Opens a device, or shares it if it is open already.
     *
     * @return to be closed
     * @throws VerbsException if it cannot be opened
     */
    public static SharedDevice open(final Device device) {
        synchronized (OPEN) {
            SharedDevice shared = OPEN.get(device.name());
            if (shared == null) {
                shared = opened(device.open());
                OPEN.put(device.name(), shared);
            }
            shared.users++;
            return shared;
        }
    }

    private static SharedDevice opened(final Context context) {
        try {
            final SharedDevice shared = new SharedDevice(context);
            shared.listener.start();
            return shared;
        } catch (final RuntimeException e) {
            context.close();
            throw e;
        }
    }

    /** The device itself. */
    public Context context() {
        return context;
    }

    ProtectionDomain domain() {
        return domain;
    }

    /**
     * What the device knows of the memory of {@code memory}.
     *
     * @param relaxed whether the device may write in any order; the first to ask decides
     * @return to be given to {@link #release}
     */
    Registrations registrations(final MemoryDomain memory, final boolean relaxed) {
        synchronized (OPEN) {
            for (final Registrations one : registrations) {
                if (one.regions() == memory) {
                    one.retain();
                    return one;
                }
            }
            final Set<Access> access = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            if (relaxed) {
                access.add(Access.RELAXED_ORDERING);
            }
            final Registrations made = new Registrations(memory, domain, access);
            registrations.add(made);
            return made;
        }
    }

    void release(final Registrations used) {
        synchronized (OPEN) {
            if (used.release()) {
                registrations.remove(used);
            }
        }
    }

    private void listen() {
        try {
            while (!closing) {
                context.awaitEvent(LOOK).ifPresent(this::happened);
            }
        } catch (final InterruptedException _) {
            // The end.
        } catch (final VerbsException | IllegalStateException e) {
            if (!closing) {
                throw e;
            }
        }
    }

    private synchronized void happened(final AsyncEvent event) {
        events[(int) (eventCount % EVENTS)] = event;
        eventCount = eventCount + 1;
    }

    /** How many events there have been. Cheap enough to poll. */
    long eventCount() {
        return eventCount;
    }

    /** Event number {@code number}, from 0 on; empty if it is too long ago. */
    synchronized Optional<AsyncEvent> event(final long number) {
        return eventCount - number > EVENTS ? Optional.empty() : Optional.of(events[(int) (number % EVENTS)]);
    }

    /** Ends a use; the last closes the device and all that was made from it. */
    @Override
    public void close() {
        synchronized (OPEN) {
            users--;
            if (users > 0) {
                return;
            }
            OPEN.remove(context.device().name());
        }
        closing = true;
        listener.interrupt();
        try {
            listener.join();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        context.close();
    }
}
