package org.chagres.collectives.cost;

import java.util.Locale;

/** Kinds of links, each with what it costs to use. All thresholds between algorithms follow from these numbers. */
public enum LinkClass {
    /** Shared memory between processes of one host. */
    SHM,
    /** TCP connections. */
    TCP,
    /** Reliable connections of RDMA devices. */
    VERBS;

    /**
     * For two ranks on a two-core AMD EPYC (Zen 3) virtual machine, 2026-11-30: a handover of a cache line takes 150 to 250 ns; pushing and reducing
     * a fresh MiB between two ranks takes 40 to 60 us, while a rank puts all of it once and reduces half; 4 MiB with halves in one piece take 2.2
     * times as long per byte. The crossover from oneshot to direct that follows, 16 KiB, is where they were measured level ({@code CHAGRES_ALGO=oneshot}
     * and {@code =direct ./chagres perf all_reduce --ranks 2 -b 1K -e 16K -f 2 --fresh}: 1.5 and 1.8 us at 16 KiB, 0.48 and 0.81 at 4 KiB; where the
     * host puts both cores on one, 6.3 and 4.6, 2.2 and 7.1). For more ranks the numbers are extrapolated.
     */
    private static final CostModel SHM_MODEL = new CostModel(250, 40, 0.025, 0.03, 0.025, 1 << 20, 2.2);

    /**
     * For two processes on loopback of a two-core AMD EPYC (Zen 3) virtual machine, 2026-12-01 ({@code CHAGRES_TRANSPORT=tcp ./chagres perf all_reduce --ranks
     * 2 -b 8 -e 8M -f 4}): 8 B take 9 us, 128 KiB 50 us, 8 MiB 3.5 ms, where a rank sends all of it once. Real networks have longer hops; between
     * algorithms mostly their number counts, so choices change little. Reductions, copies and caches are those of shared memory.
     */
    private static final CostModel TCP_MODEL = new CostModel(9000, 2500, 0.3, 0.03, 0.025, 1 << 20, 2.2);

    /**
     * Not measured: no machine with such a device was at hand. Supposed for RoCE at 100 Gb/s: 2.5 us from a write with immediate to its being seen (perftest's
     * {@code ib_write_lat} typically tells 1 to 2 us one way, without the poll by this transport), 0.3 us to post and to take in a message, 11 GB/s. Reductions,
     * copies and caches are those of shared memory.
     */
    private static final CostModel VERBS_MODEL = new CostModel(2500, 300, 0.09, 0.03, 0.025, 1 << 20, 2.2);

    /** What it costs to use. */
    public CostModel model() {
        return switch (this) {
            case SHM -> SHM_MODEL;
            case TCP -> TCP_MODEL;
            case VERBS -> VERBS_MODEL;
        };
    }

    /** The name that settings and reports use: {@code shm}, ... */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
