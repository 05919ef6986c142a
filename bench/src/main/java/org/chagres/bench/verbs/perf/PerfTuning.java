package org.chagres.bench.verbs.perf;

import java.util.Optional;
import java.util.OptionalInt;
import org.chagres.bench.UsageException;
import org.chagres.verbs.Endpoint;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.VerbsException;

/**
 * What an end decides for itself.
 *
 * @param inline bytes that a request may carry itself; empty is perftest's default for latency where the device grants it, else none
 * @param mtu the largest MTU of the path; empty is the port's
 * @param serviceLevel 0 to 15
 */
record PerfTuning(OptionalInt inline, Optional<Mtu> mtu, int serviceLevel) {
    private static final int USUAL_INLINE = 220;
    private static final int MAX_INLINE = 1 << 16;
    private static final int MAX_SERVICE_LEVEL = 15;

    PerfTuning {
        if (inline.isPresent() && (inline.getAsInt() < 0 || inline.getAsInt() > MAX_INLINE)) {
            throw new UsageException("-I " + inline.getAsInt() + ": use 0 to " + MAX_INLINE + " bytes");
        }
        if (serviceLevel < 0 || serviceLevel > MAX_SERVICE_LEVEL) {
            throw new UsageException("-S " + serviceLevel + ": service levels are 0 to " + MAX_SERVICE_LEVEL);
        }
    }

    /** Makes a queue pair with room for inline data. */
    QueuePair create(final ProtectionDomain domain, final QueuePairOptions options, final PerfSettings settings) {
        if (inline.isPresent()) {
            return domain.createQueuePair(options.inline(inline.getAsInt()));
        }
        final boolean useful = settings.latency() && settings.verb().ways() == 2;
        if (useful) {
            try {
                return domain.createQueuePair(options.inline(USUAL_INLINE));
            } catch (final VerbsException _) {
                // The device has less, which is no reason not to measure.
            }
        }
        return domain.createQueuePair(options);
    }

    /** The end of a queue pair as the peer shall see it. */
    Endpoint limit(final Endpoint end) {
        return new Endpoint(end.queuePairNumber(), end.packetSequenceNumber(), end.lid(), end.gid(),
                Mtu.min(end.mtu(), mtu.orElse(end.mtu())));
    }
}
