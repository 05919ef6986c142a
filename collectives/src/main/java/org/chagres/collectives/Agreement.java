package org.chagres.collectives;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.chagres.bootstrap.Exchange;
import org.chagres.bootstrap.Mailbox;
import org.chagres.bootstrap.Membership;
import org.chagres.bootstrap.PeerFailure;

/**
 * How the survivors of a communicator agree who they are, by flooding over the control plane: every rank tells all others whom it counts as failed, and
 * again whenever it learns of more, until all that are left have told the same. Sets only grow, so that ends.
 *
 * <p>Ranks may be at different points: one has its new communicator, sees it break at once because another member died, and shrinks that, while a third is
 * still at the first. So all communicators that descend from one by shrinking share one agreement, in the ranks of the first, and number their
 * attempts; a rank that hears of a later attempt joins that.
 *
 * <p>A rank calls this when no operation of it is under way on the old communicator, and so whoever has heard of all survivors knows that none of them writes
 * to it any more. Used by one thread at a time.
 */
final class Agreement {
    private static final long TOPIC = 0x736872696E6BL;
    private static final long POLL_NS = 200_000;
    /** After this time without a word the process of a rank is asked for a sign of life, */
    private static final long SILENCE_NS = 1_000_000_000;
    /** for which it has this long, before it is counted as failed. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /**
     * What the survivors agree on.
     *
     * @param attempt a number that no earlier outcome has with the same survivors
     * @param survivors their ranks, ascending
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Outcome(long attempt, int[] survivors) {}

    /** What a rank told last. */
    private record Proposal(long attempt, BitSet failed) {
        byte[] encode() {
            final byte[] set = failed.toByteArray();
            return ByteBuffer.allocate(Long.BYTES + set.length).putLong(attempt).put(set).array();
        }

        static Proposal decode(final byte[] bytes) {
            final ByteBuffer in = ByteBuffer.wrap(bytes);
            return new Proposal(in.getLong(), BitSet.valueOf(in));
        }
    }

    private final Membership membership;
    private final long id;
    private final long topic;
    private final BitSet failed = new BitSet();
    private final Proposal[] latest;
    private long attempt;
    private long quietSince;

    /**
     * @param membership of the first communicator
     * @param id of the first communicator
     */
    Agreement(final Membership membership, final long id) {
        this.membership = membership;
        this.id = id;
        this.topic = Exchange.topic(id, TOPIC);
        this.latest = new Proposal[membership.size()];
    }

    Membership membership() {
        return membership;
    }

    /** The id of the communicator that an outcome stands for. */
    long id(final Outcome outcome) {
        final long[] parts = new long[outcome.survivors().length + 3];
        parts[0] = id;
        parts[1] = TOPIC;
        parts[2] = outcome.attempt();
        for (int i = 0; i < outcome.survivors().length; i++) {
            parts[3 + i] = outcome.survivors()[i];
        }
        return Exchange.topic(parts);
    }

    /** From now on only attempts from this one on count. */
    void atLeast(final long least) {
        attempt = Math.max(attempt, least);
    }

    /**
     * Agrees with all others that are left, who all must call this.
     *
     * @param lost a rank that counts as failed, whatever the control plane says; -1 if there is none
     * @param gone whether a rank has left the communicator in good order
     * @param timeout how long to wait for ranks that live but do not call this, in nanoseconds
     * @throws PeerFailedException if the others count this rank as failed
     * @throws CollectiveTimeoutException if a rank does not take part in time although its process responds
     */
    Outcome reach(final int lost, final IntPredicate gone, final long timeout) {
        final Mailbox mailbox = membership.mailbox(topic);
        final long start = System.nanoTime();
        quietSince = start;
        boolean news = true;
        // First of all: a rank that was expelled, and now hears that the others failed for it, must not go on by itself.
        receive(mailbox);
        if (lost >= 0) {
            failed.set(lost);
        }
        while (true) {
            news |= lookAround(gone);
            requireSelf();
            if (news) {
                tell();
                quietSince = System.nanoTime();
            }
            if (agreed()) {
                return new Outcome(attempt, survivors());
            }
            news = receive(mailbox);
            if (!news) {
                LockSupport.parkNanos(POLL_NS);
                news = awaken();
                checkDeadline(start, timeout);
            }
        }
    }

    /** Whether the control plane has told of anyone who is gone. */
    private boolean lookAround(final IntPredicate gone) {
        boolean news = false;
        for (int r = 0; r < membership.size(); r++) {
            if (!failed.get(r) && (membership.failureOf(r) != null || r != membership.rank() && gone.test(r))) {
                failed.set(r);
                news = true;
            }
        }
        return news;
    }

    private void requireSelf() {
        final int self = membership.rank();
        if (failed.get(self)) {
            final PeerFailure failure = membership.failureOf(self);
            throw new PeerFailedException(self, membership.peer(self), Breakdown.describe(self, membership.peer(self))
                    + " counts as failed for the others, which go on without it"
                    + (failure == null ? "" : ": " + failure.reason()), null);
        }
    }

    /** Also tells those that count as failed: one of them may be alive, and must not wait for the others. */
    private void tell() {
        final byte[] body = new Proposal(attempt, failed).encode();
        for (int r = 0; r < membership.size(); r++) {
            if (r != membership.rank()) {
                membership.send(r, topic, body);
            }
        }
    }

    /** Takes in what others told; returns whether that changes what this rank tells. A rank that counts as failed has no say. */
    private boolean receive(final Mailbox mailbox) {
        boolean news = false;
        for (Mailbox.Letter letter = mailbox.poll(); letter != null; letter = mailbox.poll()) {
            final int from = letter.from();
            if (from < 0 || from >= latest.length || failed.get(from)) {
                continue;
            }
            final Proposal proposal = Proposal.decode(letter.body());
            latest[from] = proposal;
            final int before = failed.cardinality();
            failed.or(proposal.failed());
            news |= failed.cardinality() > before || proposal.attempt() > attempt;
            attempt = Math.max(attempt, proposal.attempt());
        }
        return news;
    }

    private boolean agreed() {
        for (int r = 0; r < latest.length; r++) {
            if (isAwaited(r)) {
                return false;
            }
        }
        return true;
    }

    private boolean isAwaited(final int r) {
        return r != membership.rank() && !failed.get(r)
                && (latest[r] == null || latest[r].attempt() != attempt || !latest[r].failed().equals(failed));
    }

    private int[] survivors() {
        return IntStream.range(0, latest.length).filter(r -> !failed.get(r)).toArray();
    }

    /** Asks the silent for a sign of life, and counts those that give none as failed; returns whether there are any. */
    private boolean awaken() {
        if (System.nanoTime() - quietSince < SILENCE_NS) {
            return false;
        }
        boolean news = false;
        for (int r = 0; r < latest.length; r++) {
            if (isAwaited(r) && !membership.responds(r, PATIENCE) && membership.failureOf(r) == null
                    && !membership.hasLeft(r)) {
                failed.set(r);
                // While it can still be told.
                tell();
                membership.expel(r, "its process did not respond for " + PATIENCE.toMillis()
                        + " ms while the survivors of a communicator waited for it to shrink");
                news = true;
            }
        }
        quietSince = System.nanoTime();
        return news;
    }

    private void checkDeadline(final long start, final long timeout) {
        if (System.nanoTime() - start <= timeout) {
            return;
        }
        final StringBuilder text = new StringBuilder(200).append("rank ")
                .append(membership.rank())
                .append(" waited ")
                .append(timeout / 1_000_000)
                .append(" ms in shrink()");
        for (int r = 0; r < latest.length; r++) {
            if (isAwaited(r)) {
                text.append(", for ").append(Breakdown.describe(r, membership.peer(r)));
            }
        }
        throw new CollectiveTimeoutException(text
                .append("; their processes respond, so they have not called shrink(), as all survivors must, or are busy; ")
                .append(Settings.TIMEOUT)
                .append(" and within() set the deadline")
                .toString(), null);
    }

    /** Drops the mailbox. */
    void close() {
        membership.forget(topic);
    }
}
