package org.chagres.collectives;

import org.chagres.bootstrap.Membership;
import org.chagres.memory.MemoryDomain;

/**
 * What the communicators of one rank stand on: its place in the world and its memory. The world's communicator uses it, and so does every communicator that
 * shrink made, which may outlive the world's; those that were split from one of them do not count, for they end with it. The last to be closed closes it.
 */
final class Foundation {
    private final Membership membership;
    private final MemoryDomain domain;
    private int users = 1;

    /** Has one user, who made it. */
    Foundation(final Membership membership, final MemoryDomain domain) {
        this.membership = membership;
        this.domain = domain;
    }

    MemoryDomain domain() {
        return domain;
    }

    /** Adds a user. */
    synchronized void retain() {
        users++;
    }

    /** Ends the use by one; returns whether it was the last and everything is closed now. */
    synchronized boolean release() {
        if (--users > 0) {
            return false;
        }
        try {
            domain.close();
        } finally {
            membership.close();
        }
        return true;
    }
}
