package org.chagres.verbs;

/**
 * How much a queue pair holds ({@code ibv_qp_cap}). What a device grants is at least what was asked for.
 *
 * @param maxSendWr send requests not yet completed
 * @param maxRecvWr receive requests not yet completed; ignored with a shared receive queue
 * @param maxSendSge gather entries of a send request
 * @param maxRecvSge scatter entries of a receive request; ignored with a shared receive queue
 * @param maxInlineData bytes that {@link SendFlag#INLINE} can take
 */
public record QueuePairCapacities(int maxSendWr, int maxRecvWr, int maxSendSge, int maxRecvSge, int maxInlineData) {
    /** Checks that nothing is negative. */
    public QueuePairCapacities {
        Range.check("maxSendWr", maxSendWr, 0, Integer.MAX_VALUE);
        Range.check("maxRecvWr", maxRecvWr, 0, Integer.MAX_VALUE);
        Range.check("maxSendSge", maxSendSge, 0, Integer.MAX_VALUE);
        Range.check("maxRecvSge", maxRecvSge, 0, Integer.MAX_VALUE);
        Range.check("maxInlineData", maxInlineData, 0, Integer.MAX_VALUE);
    }
}
