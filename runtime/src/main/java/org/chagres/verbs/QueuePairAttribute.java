package org.chagres.verbs;

/** What {@link QueuePair#modify} can set; each is named as the bit {@code IBV_QP_*} of {@code ibv_qp_attr_mask}. */
public enum QueuePairAttribute {
    STATE(0), EN_SQD_ASYNC_NOTIFY(2), ACCESS_FLAGS(3), PKEY_INDEX(4), PORT(5), QKEY(6), AV(7), PATH_MTU(8), TIMEOUT(
            9), RETRY_CNT(10), RNR_RETRY(11), RQ_PSN(
                    12), MAX_QP_RD_ATOMIC(13), MIN_RNR_TIMER(15), SQ_PSN(16), MAX_DEST_RD_ATOMIC(17), DEST_QPN(20);

    private final int bit;

    QueuePairAttribute(final int shift) {
        this.bit = 1 << shift;
    }

    /** The bit of {@code ibv_qp_attr_mask}. */
    public int bit() {
        return bit;
    }
}
