package org.chagres.transport.verbs;

/** Whether a device may write the data of RDMA writes to memory in any order, by the numbers of {@code NCCL_IB_PCI_RELAXED_ORDERING}. */
public enum RelaxedOrdering {
    /** In order, which some machines pay for with bandwidth. */
    OFF("0"),
    /** In any order; a device or library that cannot is an error. */
    REQUIRED("1"),
    /** In any order if device and library can. */
    AUTOMATIC("2");

    private final String word;

    RelaxedOrdering(final String word) {
        this.word = word;
    }

    /** As the variable has it. */
    public String word() {
        return word;
    }
}
