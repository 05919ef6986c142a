package org.chagres.collectives;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.chagres.bootstrap.Exchange;
import org.chagres.bootstrap.Mailbox;
import org.chagres.bootstrap.Membership;

/**
 * How the members of one communicator tell each other that it broke, beside the links, which then are of no use. Only the first news counts, and only who
 * finds something out tells the others: who merely heard of it stays silent, so that the news does not multiply. A member also says goodbye here when
 * it closes the communicator.
 */
final class Alarm {
    /** Keeps the topic apart from those of the fabric and of the agreement on survivors. */
    private static final long TOPIC = 0x616C61726DL;
    private static final byte[] GOODBYE = {};

    private final Membership membership;
    private final long topic;
    private final Mailbox mailbox;
    private final AtomicReference<Breakdown> first = new AtomicReference<>();
    private final AtomicIntegerArray left;

    Alarm(final Membership membership, final long id) {
        this.membership = membership;
        this.topic = Exchange.topic(id, TOPIC);
        this.mailbox = membership.mailbox(topic);
        this.left = new AtomicIntegerArray(membership.size());
    }

    /** Tells everyone, unless there was other news before. Any thread may call. */
    void raise(final Breakdown breakdown) {
        if (first.compareAndSet(null, breakdown)) {
            sendToOthers(breakdown.encode());
        }
    }

    /** The first news, or null. Cheap while there is none, and allocates nothing. Any thread may call. */
    Breakdown heard() {
        for (Mailbox.Letter letter = mailbox.poll(); letter != null; letter = mailbox.poll()) {
            receive(letter);
        }
        return first.get();
    }

    private void receive(final Mailbox.Letter letter) {
        if (letter.from() < 0 || letter.from() >= membership.size()) {
            return;
        }
        if (letter.body().length == 0) {
            left.set(letter.from(), 1);
        } else {
            first.compareAndSet(null, Breakdown.decode(letter.body()));
        }
    }

    /** Whether {@code rank} is gone in good order from the world, or has closed this communicator, as of the last {@link #heard}. */
    boolean hasLeft(final int rank) {
        return left.get(rank) != 0 || membership.hasLeft(rank);
    }

    /** Tells the others that this rank will take no part any more. Nothing this rank sent may still be under way in this process. */
    void sayGoodbye() {
        sendToOthers(GOODBYE);
    }

    private void sendToOthers(final byte[] body) {
        for (int r = 0; r < membership.size(); r++) {
            if (r != membership.rank()) {
                membership.send(r, topic, body);
            }
        }
    }

    /** Drops the mailbox. */
    void close() {
        membership.forget(topic);
    }
}
