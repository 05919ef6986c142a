package org.chagres.collectives.planner;

import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;

/** Who needs whose data in a collective, and where it lies in the sender's input and in the receiver's output. */
final class Flow {
    private Flow() {
    }

    /** Whether {@code receiver} needs data, or in a barrier a word, of {@code sender}. */
    static boolean sends(final Shape shape, final int sender, final int receiver) {
        return switch (shape.collective()) {
            case ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, BARRIER -> true;
            case BROADCAST, SCATTER -> sender == shape.root();
            case REDUCE, GATHER -> receiver == shape.root();
            case SEND_RECV -> sender == 0 && receiver == 1;
        };
    }

    /** Elements from one sender to one receiver. */
    static long count(final Shape shape) {
        return shape.collective() == Collective.BARRIER ? 0 : shape.count();
    }

    static long sendOffset(final Shape shape, final int receiver) {
        return switch (shape.collective()) {
            case REDUCE_SCATTER, ALL_TO_ALL, SCATTER -> receiver * shape.count();
            case ALL_REDUCE, BROADCAST, REDUCE, ALL_GATHER, GATHER, BARRIER, SEND_RECV -> 0;
        };
    }

    static long recvOffset(final Shape shape, final int sender) {
        return switch (shape.collective()) {
            case ALL_GATHER, ALL_TO_ALL, GATHER -> sender * shape.count();
            case ALL_REDUCE, BROADCAST, REDUCE, REDUCE_SCATTER, SCATTER, BARRIER, SEND_RECV -> 0;
        };
    }

    /** Peers to whom {@code sender} sends. */
    static int receivers(final Shape shape, final int sender) {
        int receivers = 0;
        for (int peer = 0; peer < shape.size(); peer++) {
            receivers += peer != sender && sends(shape, sender, peer) ? 1 : 0;
        }
        return receivers;
    }

    /** Peers that send to {@code receiver}. */
    static int senders(final Shape shape, final int receiver) {
        int senders = 0;
        for (int peer = 0; peer < shape.size(); peer++) {
            senders += peer != receiver && sends(shape, peer, receiver) ? 1 : 0;
        }
        return senders;
    }
}
