package org.chagres.collectives.planner;

import org.chagres.collectives.plan.Cost;
import org.chagres.collectives.plan.Crossing;

/** What one rank does in a hierarchical plan, in elements; or of several ranks the most of each. */
final class Load {
    private long messages;
    private long sent;
    private long messagesAcross;
    private long sentAcross;
    private long reduced;

    /** Puts to ranks of the same host. */
    void within(final long puts, final long elements) {
        messages += puts;
        sent += elements;
    }

    /** Puts to other hosts. */
    void across(final long puts, final long elements) {
        within(puts, elements);
        messagesAcross += puts;
        sentAcross += elements;
    }

    void reduce(final long elements) {
        reduced += elements;
    }

    void atLeast(final Load other) {
        messages = Math.max(messages, other.messages);
        sent = Math.max(sent, other.sent);
        messagesAcross = Math.max(messagesAcross, other.messagesAcross);
        sentAcross = Math.max(sentAcross, other.sentAcross);
        reduced = Math.max(reduced, other.reduced);
    }

    /** @param fill elements that pass between hosts while others wait */
    Cost cost(final int hops, final int hopsAcross, final long fill, final int roundings, final int elementSize) {
        return Cost.of(hops, messages)
                .sending(sent * elementSize, fill * elementSize)
                .reducing(reduced * elementSize, roundings)
                .crossing(new Crossing(hopsAcross, messagesAcross, sentAcross * elementSize, fill * elementSize));
    }
}
