package org.chagres.bootstrap;

import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;

/** The ranks of a world while it forms: all meet at the coordinator, learn of each other, connect, and leave the coordinator together. One thread uses it. */
interface Gathering {
    /** The address of this host by which it and the coordinator's reach each other; all zeros if any may be. */
    InetAddress localAddress();

    /** Where the coordinator's host was reached. */
    InetAddress coordinatorAddress();

    /**
     * Tells the others of this rank.
     *
     * @return what all others told
     * @throws JoinException if the world cannot form; it says why
     */
    Table introduce(Introduction mine);

    /**
     * Says that this rank is connected to all others, and waits until all are.
     *
     * @throws JoinException if the world cannot form; it says why
     */
    void ready();

    /** Completes with the reason once the world cannot form. */
    CompletableFuture<String> abandoned();

    /** Tells the others that the world cannot form, and gives them a moment to hear it. */
    void abandon(String why);
}
