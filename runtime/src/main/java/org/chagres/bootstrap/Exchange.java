package org.chagres.bootstrap;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * All-gathers of small messages over the control plane, for setting things up. All members make the same exchanges on a topic in the same order. Used by
 * one thread.
 */
public final class Exchange {
    private static final long POLL_NS = 200_000;

    private final Membership membership;
    private final long topic;
    private final Duration timeout;
    private final Mailbox mailbox;
    /** What each rank sent ahead of this one's rounds. */
    private final List<Queue<byte[]>> early;

    /**
     * Joins the exchanges on a topic.
     *
     * @param timeout bounds each exchange
     */
    public Exchange(final Membership membership, final long topic, final Duration timeout) {
        this.membership = membership;
        this.topic = topic;
        this.timeout = timeout;
        this.mailbox = membership.mailbox(topic);
        this.early = Stream.<Queue<byte[]>>generate(ArrayDeque::new).limit(membership.size()).toList();
    }

    /**
     * Gives {@code mine} to all ranks and returns everyone's, by rank.
     *
     * @throws JoinException if a rank does not take part in time, leaves, or fails: even if that one has taken part, for it may have kept others from doing so
     */
    public byte[][] allGather(final byte[] mine) {
        final int size = membership.size();
        final byte[][] all = new byte[size][];
        all[membership.rank()] = mine.clone();
        for (int r = 0; r < size; r++) {
            if (r != membership.rank()) {
                membership.send(r, topic, mine);
            }
        }
        final long deadline = System.nanoTime() + timeout.toNanos();
        while (!complete(all)) {
            if (!receive()) {
                check(all, deadline);
                LockSupport.parkNanos(POLL_NS);
            }
        }
        return all;
    }

    private boolean complete(final byte[][] all) {
        boolean complete = true;
        for (int r = 0; r < all.length; r++) {
            if (all[r] == null) {
                all[r] = early.get(r).poll();
                complete &= all[r] != null;
            }
        }
        return complete;
    }

    private boolean receive() {
        final Mailbox.Letter letter = mailbox.poll();
        if (letter == null) {
            return false;
        }
        early.get(letter.from()).add(letter.body());
        return true;
    }

    private void check(final byte[][] all, final long deadline) {
        final List<Integer> missing = new ArrayList<>();
        for (int r = 0; r < all.length; r++) {
            final PeerFailure failure = membership.failureOf(r);
            if (failure != null) {
                throw new JoinException(membership.peer(r).describe() + " failed while rank " + membership.rank()
                        + " waited for " + (all[r] == null ? "it: " : "others: ") + failure.reason());
            }
            if (all[r] != null) {
                continue;
            }
            missing.add(r);
            // Its last words may have come between the look into the mailbox and this one.
            if (membership.hasLeft(r) && !receive()) {
                throw new JoinException(membership.peer(r).describe() + " left while rank " + membership.rank()
                        + " waited for it: see what it reported");
            }
        }
        if (System.nanoTime() > deadline) {
            throw new JoinException("rank " + membership.rank() + " waited " + timeout.toMillis()
                    + " ms for an exchange with ranks " + missing + ": they are stuck, or did not call the same");
        }
    }

    /** A name for something that all ranks derive alike from numbers that they agree on. */
    public static long topic(final long... parts) {
        final ByteBuffer bytes = ByteBuffer.allocate(parts.length * Long.BYTES);
        for (final long part : parts) {
            bytes.putLong(part);
        }
        long hash = 0xCBF29CE484222325L;
        for (final byte b : bytes.array()) {
            hash = (hash ^ b & 0xFF) * 0x100000001B3L;
        }
        return hash;
    }
}
