package org.chagres.transport.verbs.link;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.chagres.bindings.Errno;
import org.chagres.transport.LinkException;
import org.chagres.transport.verbs.EventVerdict;
import org.chagres.transport.verbs.PathEnd;
import org.chagres.transport.verbs.RequestFailure;
import org.chagres.transport.verbs.UsablePort;
import org.chagres.transport.verbs.VerbsSettings;
import org.chagres.verbs.AsyncEvent;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.CompletionStatus;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.VerbsObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What to throw when something goes wrong on the connections of a transport: who, between what, why, and what to do. */
final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsTransport.class);
    /** How long an event may take to become known after the completions that it explains. */
    private static final long NEWS_NS = 200_000_000;

    private final SharedDevice device;
    private final UsablePort port;
    private final VerbsSettings settings;
    private final PathEnd here;
    private final VerbsTransport transport;
    private long eventsSeen;

    Failures(final VerbsTransport transport, final SharedDevice device, final UsablePort port,
            final VerbsSettings settings, final PathEnd here) {
        this.transport = transport;
        this.device = device;
        this.port = port;
        this.settings = settings;
        this.here = here;
        this.eventsSeen = device.eventCount();
    }

    /** Requests could not be posted. */
    LinkException refused(final VerbsConnection connection, final String what, final int errno) {
        return new LinkException(connection.peer(),
                here.who() + " cannot post " + what + " for rank " + connection.peer() + " to "
                        + port.name() + ": " + Errno.describe(errno)
                        + "; the device or its driver broke, or the queue pair was changed by somebody else");
    }

    /** A request has failed. If it was only given up because the queue pair broke, an event may tell why that did. */
    LinkException failed(final VerbsConnection connection, final VerbsQueue queue,
            final Completion.Failure completion) {
        if (completion.status() == CompletionStatus.WR_FLUSH_ERR) {
            final Optional<LinkException> known = awaitVerdict();
            if (known.isPresent()) {
                return known.get();
            }
        }
        final String what = queue.describe(completion.id());
        if (connection.path() == null) {
            return new LinkException(connection.peer(), what + " failed: " + completion.describe());
        }
        return new LinkException(connection.peer(),
                new RequestFailure(completion, what, here, connection.path().there(),
                        connection.remoteNumber(queue), connection.path().agreement(), settings, queue.isAnswered())
                        .describe());
    }

    /** The completion queue does not work any more. */
    LinkException broken() {
        return awaitVerdict().orElseGet(() -> new LinkException(here.rank(),
                here.who() + ": the completion queue of " + port.name()
                        + " broke: the device or its driver is out of order; the kernel's log tells more"));
    }

    private Optional<LinkException> awaitVerdict() {
        final long start = System.nanoTime();
        Optional<LinkException> verdict = newVerdict();
        while (verdict.isEmpty() && System.nanoTime() - start < NEWS_NS) {
            LockSupport.parkNanos(NEWS_NS / 100);
            verdict = newVerdict();
        }
        return verdict;
    }

    /** Looks at the events that have happened since the last look; returns the first that ends the communicator. */
    Optional<LinkException> newVerdict() {
        while (eventsSeen < device.eventCount()) {
            final Optional<AsyncEvent> event = device.event(eventsSeen);
            eventsSeen++;
            if (event.isPresent()) {
                final EventVerdict verdict = EventVerdict.of(event.get(), port, device.context(), this::isOurs,
                        settings);
                if (verdict.ends()) {
                    return Optional
                            .of(new LinkException(blamed(event.get().source()), here.who() + ": " + verdict.words()));
                }
                if (verdict.concerns()) {
                    LOG.warn("{}: {}", here.who(), verdict.words());
                }
            }
        }
        return Optional.empty();
    }

    /** Other communicators use the device too. */
    private boolean isOurs(final VerbsObject source) {
        return switch (source) {
            case final QueuePair pair -> transport.connectionOf(pair.number()) != null;
            case final CompletionQueue queue -> transport.isPolled(queue);
            default -> true;
        };
    }

    private int blamed(final VerbsObject source) {
        return source instanceof final QueuePair pair ? transport.connectionOf(pair.number()).peer() : here.rank();
    }
}
