package org.chagres.verbs;

/** How a send request is treated ({@code ibv_send_flags}). */
public enum SendFlag {
    /** Begins only when earlier RDMA reads and atomics of the queue pair have completed. */
    FENCE(1),
    /** Makes a completion when it succeeds; a failure makes one anyway. */
    SIGNALED(1 << 1),
    /** The receiver's completion is solicited; see {@link CompletionQueue#requestNotification}. */
    SOLICITED(1 << 2),
    /** The data are copied while posting: they may change at once, and need not be registered. */
    INLINE(1 << 3);

    private final int bit;

    SendFlag(final int bit) {
        this.bit = bit;
    }

    /** The bit of {@code ibv_send_flags}. */
    public int bit() {
        return bit;
    }
}
