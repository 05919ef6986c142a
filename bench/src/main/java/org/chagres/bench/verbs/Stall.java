package org.chagres.bench.verbs;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Ends a loop that polls in vain: when nothing was done for too long, or the peer is known to be gone. Looks at the clock only now and then. */
public final class Stall {
    private static final int SPINS = 1 << 12;

    private final long patienceNanos;
    private final Supplier<String> waitsFor;
    private final BooleanSupplier peerGone;
    private int spins;
    private long seen = -1;
    private long since;

    /**
     * @param seconds how long nothing may be done
     * @param waitsFor for the message: what did not come
     * @param peerGone asked now and then; must not block
     */
    public Stall(final int seconds, final Supplier<String> waitsFor, final BooleanSupplier peerGone) {
        this.patienceNanos = TimeUnit.SECONDS.toNanos(seconds);
        this.waitsFor = waitsFor;
        this.peerGone = peerGone;
    }

    /**
     * To be called whenever there was nothing to do.
     *
     * @param done how much is done so far
     * @throws PeerLostException if that did not change for too long, or the peer is gone
     */
    public void idle(final long done) {
        if (++spins == SPINS) {
            spins = 0;
            look(done);
        }
    }

    private void look(final long done) {
        final long now = System.nanoTime();
        if (done != seen) {
            seen = done;
            since = now;
        } else if (now - since > patienceNanos) {
            throw new PeerLostException("nothing came for " + TimeUnit.NANOSECONDS.toSeconds(patienceNanos)
                    + " s, after " + done + " of the " + waitsFor.get()
                    + ": has the peer ended, does the network drop its packets?");
        }
        if (peerGone.getAsBoolean()) {
            throw new PeerLostException("the peer ended after " + done + " of the " + waitsFor.get());
        }
    }
}
