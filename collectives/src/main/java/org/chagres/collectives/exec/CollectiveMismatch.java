package org.chagres.collectives.exec;

/** Two ranks of a lane mean different operations; the communicator turns it into words. Thrown at most once a communicator. */
public final class CollectiveMismatch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int peer;
    private final long sequence;
    private final long mine;
    private final long theirs;
    private final boolean ahead;

    CollectiveMismatch(final int peer, final long sequence, final long mine, final long theirs,
            final boolean ahead) {
        super("operation " + sequence + " differs from that of rank " + peer);
        this.peer = peer;
        this.sequence = sequence;
        this.mine = mine;
        this.theirs = theirs;
        this.ahead = ahead;
    }

    public int peer() {
        return peer;
    }

    public long sequence() {
        return sequence;
    }

    public long mine() {
        return mine;
    }

    public long theirs() {
        return theirs;
    }

    /** Whether {@link #theirs} is the operation after, which the peer began although this rank still waits for it. */
    public boolean ahead() {
        return ahead;
    }
}
