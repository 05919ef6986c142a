package org.chagres.bench.compare;

import java.util.OptionalDouble;

/** The limits that Chagres sets itself: its time by another's, at most. */
final class Target {
    /** Of the C program with the same algorithm and no runtime, fresh. */
    static final double OF_BASELINE = 1.2;
    /** Handovers of a cache line that 8 bytes may take. */
    static final double HANDOVERS = 1.5;
    private static final int PAIR = 2;
    private static final double OF_TCP_PEER = 0.75;

    private Target() {
    }

    /** Of the best peer, or empty where no limit is set. */
    static OptionalDouble ofBestPeer(final Transport transport, final Way way, final int ranks, final long bytes) {
        if (ranks != PAIR) {
            return OptionalDouble.of(1);
        }
        if (transport == Transport.TCP) {
            return OptionalDouble.of(OF_TCP_PEER);
        }
        return switch (way) {
            case NCCL ->
                bytes <= 256 ? OptionalDouble.of(0.6) : bytes < 512 ? OptionalDouble.empty() : OptionalDouble.of(0.4);
            case FRESH -> bytes <= 4 << 10
                    ? OptionalDouble.of(0.6)
                    : bytes < 16 << 10 ? OptionalDouble.empty() : OptionalDouble.of(0.35);
        };
    }
}
