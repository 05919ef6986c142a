package org.chagres.transport.verbs;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Mtu;

/**
 * What the environment says about the verbs transport, read and checked in one place. The README has the table of variables. Each is called
 * {@code CHAGRES_IB_X}, and where NCCL has it, {@code NCCL_IB_X} works too with the meaning that NCCL's user guide gives it ("Environment Variables",
 * NCCL 2.23 and later); ours counts if both are set. Where we refuse what NCCL ignores (a malformed value, a device that does not exist), the message
 * lists what is legal.
 *
 * @param disabled {@code DISABLE=1}: verbs is not used; empty otherwise
 * @param devices {@code HCA}: the ports that may be used
 * @param gids {@code GID_INDEX}, {@code ADDR_FAMILY}, {@code ADDR_RANGE}, {@code ROCE_VERSION_NUM}: the row of the GID table to use
 * @param trafficClass {@code TC}, 0 to 255, default 0: IP's type of service on RoCE
 * @param serviceLevel {@code SL}, 0 to 15, default 0
 * @param pkey {@code PKEY}, a row of the partition key table; default row 0
 * @param timeout {@code TIMEOUT} and {@code RETRY_CNT}: when a peer that does not acknowledge is given up
 * @param queuePairs {@code QPS_PER_CONNECTION}, 1 to 128, default 1: queue pairs to each peer
 * @param relaxedOrdering {@code PCI_RELAXED_ORDERING}, default 2
 * @param map {@code MAP}, ours only: the port of each local rank, as {@code 0=mlx5_0:1,1=mlx5_1:1}
 */
public record VerbsSettings(Optional<Asked<Integer>> disabled, DeviceFilter devices, GidPolicy gids, int trafficClass,
        int serviceLevel,
        Optional<Asked<Integer>> pkey, AckTimeout timeout, int queuePairs, RelaxedOrdering relaxedOrdering,
        Optional<Asked<SortedMap<Integer, PortName>>> map) {
    /**
     * 0.27 s for an attempt. NCCL's 20 (4.3 s, 34 s with all repeats) is for networks that hardly lose a packet: where one is lost at the end of a
     * message, a whole attempt passes before it is sent again. A host that is gone is noticed by the control connection, not by this.
     */
    static final int DEFAULT_TIMEOUT = 16;
    private static final int DEFAULT_RETRIES = 7;
    private static final int UNSET = -1;
    /** The receiver grants space before anyone writes, so this cannot happen; if it does, it shall be an error soon and not repeat for ever. */
    private static final int RNR_RETRY = 6;

    private static final String MAP_SYNTAX = "use local ranks and ports such as 0=mlx5_0:1,1=mlx5_1:1";

    /** Settings of an empty environment. */
    public static final VerbsSettings DEFAULTS = of(Map.of());

    /**
     * Reads the settings.
     *
     * @throws IllegalArgumentException if a value is malformed, unknown or out of range
     */
    public static VerbsSettings of(final Map<String, String> environment) {
        final Variables variables = new Variables(environment);
        return new VerbsSettings(variables.number("DISABLE", 0, 1).filter(set -> set.value() == 1),
                variables.text("HCA").map(DeviceFilter::parse).orElse(DeviceFilter.ALL),
                GidPolicy.of(variables),
                Math.max(0, variables.number("TC", UNSET, 255, 0)),
                Math.max(0, variables.number("SL", UNSET, 15, 0)),
                variables.number("PKEY", 0, 0xffff),
                new AckTimeout(variables.number("TIMEOUT", 1, 31, DEFAULT_TIMEOUT),
                        variables.number("RETRY_CNT", 0, 7, DEFAULT_RETRIES)),
                variables.number("QPS_PER_CONNECTION", 1, 128, 1),
                variables.word("PCI_RELAXED_ORDERING", RelaxedOrdering.values(), RelaxedOrdering::word)
                        .map(Asked::value)
                        .orElse(RelaxedOrdering.AUTOMATIC),
                map(environment.getOrDefault("CHAGRES_IB_MAP", "").strip()));
    }

    private static Optional<Asked<SortedMap<Integer, PortName>>> map(final String set) {
        if (set.isEmpty()) {
            return Optional.empty();
        }
        final String text = "CHAGRES_IB_MAP=" + set;
        final SortedMap<Integer, PortName> ports = new TreeMap<>();
        for (final List<String> pair : Arrays.stream(set.split(",", -1)).map(p -> List.of(p.split("=", 2))).toList()) {
            try {
                final int rank = Integer.parseInt(pair.getFirst().strip());
                if (pair.size() == 2 && rank >= 0 && ports.put(rank, PortName.parse(pair.getLast())) == null) {
                    continue;
                }
            } catch (final IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        text + ": " + String.join("=", pair) + " is malformed: " + MAP_SYNTAX, e);
            }
            throw new IllegalArgumentException(
                    text + ": " + String.join("=", pair) + " is malformed, or names a local rank again: " + MAP_SYNTAX);
        }
        return Optional.of(new Asked<>(text, ports));
    }

    /** The row of the partition key table. */
    public int pkeyIndex() {
        return pkey.map(Asked::value).orElse(0);
    }

    /**
     * How the queue pairs to a peer are connected, but for what the peer may do through them.
     *
     * @param port the local port, with the GID to send from
     * @param agreement what both ends have agreed on
     */
    public ConnectionOptions connectionOptions(final UsablePort port, final PathAgreement agreement) {
        return ConnectionOptions.defaults()
                .port(port.name().port())
                .gidIndex(agreement.globalRoute() ? port.gid().chosen().index() : ConnectionOptions.AUTOMATIC)
                .pkeyIndex(pkeyIndex())
                .mtu(agreement.mtu())
                .serviceLevel(serviceLevel)
                .trafficClass(trafficClass)
                .timeout(timeout.exponent())
                .retryCount(timeout.retries())
                .rnrRetry(RNR_RETRY);
    }
}
