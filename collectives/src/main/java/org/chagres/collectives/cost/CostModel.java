package org.chagres.collectives.cost;

import org.chagres.collectives.plan.Cost;

/**
 * Prices a {@link Cost}: the sum of its parts, as in the postal model with reductions added (alpha, beta, gamma in the literature).
 *
 * @param hopNs nanoseconds from a signal's raising to its being seen
 * @param messageNs nanoseconds that a rank spends on sending or receiving one message, whatever its size
 * @param sentNsPerByte nanoseconds for a byte that is put
 * @param reducedNsPerByte nanoseconds for a byte that a reduction writes
 * @param copiedNsPerByte nanoseconds for a byte that is copied within a rank
 * @param cacheBytes the longest put that is still in the cache when its receiver reads it
 * @param uncachedFactor how many times as long it takes to put and to reduce what is not
 */
public record CostModel(double hopNs, double messageNs, double sentNsPerByte, double reducedNsPerByte,
        double copiedNsPerByte, long cacheBytes,
        double uncachedFactor) {
    /** The estimated time, in nanoseconds. */
    public double nanoseconds(final Cost cost) {
        final double factor = cost.stagedBytes() > cacheBytes ? uncachedFactor : 1;
        final double moved = (cost.bytesSent() + cost.fillBytes()) * sentNsPerByte
                + cost.bytesReduced() * reducedNsPerByte;
        return cost.hops() * hopNs + cost.messages() * messageNs + moved * factor
                + cost.bytesCopied() * copiedNsPerByte;
    }
}
