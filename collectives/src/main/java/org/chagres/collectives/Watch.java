package org.chagres.collectives;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.chagres.bootstrap.Membership;
import org.chagres.bootstrap.PeerFailure;
import org.chagres.collectives.exec.CollectiveMismatch;
import org.chagres.collectives.exec.Fingerprint;
import org.chagres.collectives.exec.Lane;
import org.chagres.collectives.exec.Run;
import org.chagres.collectives.planner.Planners;
import org.chagres.transport.LinkException;

/**
 * The slow side of waiting in one communicator: has a member failed, has the communicator broken elsewhere, do the ranks disagree, is the deadline over? And
 * the words for it. Used under the engine's lock.
 */
final class Watch {
    /** How long the news of a peer's end may take. */
    private static final long NEWS_NS = 1_000_000_000;
    /** How long data may be under way from a rank that has left, after the control plane told of that. */
    private static final long LAST_DATA_NS = 500_000_000;
    /** How long a process gets to show that it is alive, before an exception says that it is not. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final Membership membership;
    private final Alarm alarm;
    private final Lane collectives;
    /** How many failures in the world have been looked at: those of other communicators' ranks do not matter here. */
    private int failuresSeen;
    /** Since when this rank has been waiting for one that has left, by {@link System#nanoTime}. */
    private long leaverSince;
    private int leaver = -1;

    Watch(final Membership membership, final Alarm alarm, final Lane collectives) {
        this.membership = membership;
        this.alarm = alarm;
        this.collectives = collectives;
    }

    /** Whether nothing is known to have happened. Cheap enough for the start of each operation. */
    boolean quiet() {
        return alarm.heard() == null && membership.failures() == failuresSeen;
    }

    /**
     * Looks at everything once.
     *
     * @param run what this rank is waiting in; null before it begins one, when only the news matters
     * @param start when it began to wait, by {@link System#nanoTime}
     * @param timeout how long it may, in nanoseconds
     */
    void look(final Run run, final long start, final long timeout) {
        listen(run);
        if (run != null) {
            run.checkForMismatch();
            checkForLeavers(run);
            if (System.nanoTime() - start > timeout) {
                throw late("in " + run.describe(), run, timeout);
            }
        }
    }

    private void listen(final Run run) {
        throwNews(run);
        final int failures = membership.failures();
        if (failures != failuresSeen) {
            for (int p = 0; p < membership.size(); p++) {
                final PeerFailure failure = membership.failureOf(p);
                if (failure != null) {
                    // A rank that found something out, told, and then ended is no reason to forget what it told.
                    throwNews(run);
                    throw failed(p, failure.reason(), place(run), null);
                }
            }
            failuresSeen = failures;
        }
    }

    private void throwNews(final Run run) {
        final Breakdown news = alarm.heard();
        if (news != null) {
            throw news.exception(membership, place(run), null);
        }
    }

    private PeerFailedException failed(final int p, final String reason, final String place, final Throwable cause) {
        final boolean self = p == membership.rank();
        return new PeerFailedException(p, membership.peer(p), Breakdown.describe(p, membership.peer(p))
                + (self ? " counts as failed for the others: " : " failed: ") + reason + "; " + place
                + (self ? "" : "; rank " + p + " " + collectives.reached(p, Planners.NAMES)), cause);
    }

    private String place(final Run run) {
        return "rank " + membership.rank() + (run == null
                ? " had begun " + collectives.sequence() + " collective operations"
                : " was in " + run.describe());
    }

    /** A rank that closed its communicator in good order sends nothing any more, once what it sent has come. */
    private void checkForLeavers(final Run run) {
        if (leaver >= 0 && run.waitsFor(leaver)) {
            if (System.nanoTime() - leaverSince > LAST_DATA_NS) {
                throwNews(run);
                throw new PeerFailedException(leaver, membership.peer(leaver),
                        Breakdown.describe(leaver, membership.peer(leaver)) + " has closed its communicator, but rank "
                                + membership.rank() + " still waits for it: it was in " + run.describe()
                                + "; all ranks must call the same operations before they close, or did that rank fail?",
                        null);
            }
            return;
        }
        leaver = -1;
        for (int p = 0; p < membership.size(); p++) {
            if (alarm.hasLeft(p) && run.waitsFor(p)) {
                leaver = p;
                leaverSince = System.nanoTime();
                return;
            }
        }
    }

    /**
     * What to throw at a deadline. Takes as long as the processes of late ranks get to respond.
     *
     * @param what what this rank waited for
     * @param run what it is in; null if nothing
     */
    RuntimeException late(final String what, final Run run, final long timeout) {
        final StringBuilder text = new StringBuilder(400).append("rank ")
                .append(membership.rank())
                .append(" waited ")
                .append(timeout / 1_000_000)
                .append(" ms ")
                .append(what);
        for (int p = 0; run != null && p < membership.size(); p++) {
            if (p != membership.rank() && run.waitsFor(p)) {
                text.append("; ")
                        .append(Breakdown.describe(p, membership.peer(p)))
                        .append(' ')
                        .append(collectives.reached(p, Planners.NAMES));
                if (!membership.responds(p, PATIENCE)) {
                    // One is enough: all that wait for it are late, and every further question takes its time.
                    text.append("; its process does not respond: stopped, swapped out or its host is gone");
                    break;
                }
                text.append("; its process responds, so it has not called this operation, or is busy");
            }
        }
        // Meanwhile others may have told the reason.
        listen(run);
        return new CollectiveTimeoutException(
                text.append("; ").append(Settings.TIMEOUT).append(" and within() set the deadline").toString(), null);
    }

    /** What to throw for an error of an operation. */
    RuntimeException explained(final RuntimeException e) {
        return switch (e) {
            case final CollectiveMismatch mismatch -> new CollectiveMismatchException(words(mismatch)
                    + "; all ranks must call the same operations in the same order, with the same settings", e);
            case final PeerFailedException known -> known;
            case final CollectiveTimeoutException known -> known;
            case final CollectiveMismatchException known -> known;
            case final CommunicatorAbortedException known -> known;
            default -> explainedByPeer(e);
        };
    }

    /** Memory of a peer that cannot be reached is most likely that of a peer that is gone, of which the news may take a moment. */
    private RuntimeException explainedByPeer(final RuntimeException e) {
        final String saw = "rank " + membership.rank() + " saw: " + e.getMessage();
        final long start = System.nanoTime();
        while (System.nanoTime() - start < NEWS_NS) {
            final Breakdown news = alarm.heard();
            if (news != null) {
                return news.exception(membership, saw, e);
            }
            for (int p = 0; p < membership.size(); p++) {
                final PeerFailure failure = membership.failureOf(p);
                if (failure != null) {
                    return failed(p, failure.reason(), saw, e);
                }
                if (alarm.hasLeft(p)) {
                    return new PeerFailedException(p, membership.peer(p), Breakdown.describe(p, membership.peer(p))
                            + " has closed its communicator; " + saw, e);
                }
            }
            LockSupport.parkNanos(NEWS_NS / 100);
        }
        return e instanceof final LinkException link ? failed(link.peer(), "its connection broke", saw, e) : e;
    }

    private String words(final CollectiveMismatch m) {
        final String mine = "rank " + membership.rank() + " called " + Fingerprint.describe(m.mine(), Planners.NAMES);
        final String theirs = Fingerprint.describe(m.theirs(), Planners.NAMES);
        if (m.ahead()) {
            return "operation " + m.sequence() + " differs between ranks: " + mine + " and waits for rank " + m.peer()
                    + ", which called something else, is done with it, and went on to " + theirs;
        }
        if (Fingerprint.sameOperation(m.mine(), m.theirs())) {
            return "an operation before number " + m.sequence() + " differed between ranks " + membership.rank()
                    + " and " + m.peer() + ", which both ended it without hearing of the other: now " + mine;
        }
        return "operation " + m.sequence() + " differs between ranks: " + mine + "; rank " + m.peer() + " called "
                + theirs;
    }
}
