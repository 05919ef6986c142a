package org.chagres.collectives.cost;

/** Kinds of links, each with what it costs to use. All thresholds between algorithms follow from these numbers. */
public enum LinkClass {
    /** Shared memory between processes of one host. */
    SHM;

    /**
     * Estimates from first experiments on a two-core virtual machine: a handover of a cache line takes 200 to 270 ns; pushing and reducing a
     * fresh MiB between two ranks takes 40 to 46 us, while a rank puts all of it once and reduces half; 4 MiB with halves in one piece take 2.2 times as long per byte. To check them, compare the estimates
     * that {@code explain} prints with {@code ./chagres perf all_reduce --ranks 2 --fresh} under each {@code CHAGRES_ALGO}.
     */
    private static final CostModel SHM_MODEL = new CostModel(250, 40, 0.025, 0.03, 0.025, 1 << 20, 2.2);

    public CostModel model() {
        return switch (this) {
            case SHM -> SHM_MODEL;
        };
    }
}
