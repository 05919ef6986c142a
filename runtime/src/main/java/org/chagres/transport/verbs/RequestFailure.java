package org.chagres.transport.verbs;

import org.chagres.verbs.Completion;

/**
 * A request that failed, with all that is needed to say what failed, between whom, and why.
 *
 * @param completion how it ended
 * @param operation what it was, such as {@code RDMA write of 65536 bytes}; a failed completion does not tell
 * @param here this rank's end
 * @param there the peer's
 * @param remoteQueuePair the number of the peer's queue pair
 * @param path what both had agreed on
 * @param settings of this rank
 * @param answered whether the peer had acknowledged anything on this queue pair before; if so, the connection data were right
 */
public record RequestFailure(Completion.Failure completion, String operation, PathEnd here, PathEnd there,
        int remoteQueuePair, PathAgreement path,
        VerbsSettings settings, boolean answered) {
    /** For people: what failed, between whom, the effective timeout, and the causes, the likeliest first, each with its remedy. */
    public String describe() {
        final StringBuilder text = new StringBuilder(1024);
        text.append(operation)
                .append(" from ")
                .append(here.who())
                .append(" to ")
                .append(there.who())
                .append(" failed: ")
                .append(completion.status().meaning())
                .append(" (status ")
                .append(completion.statusCode())
                .append(", IBV_WC_")
                .append(completion.status())
                .append(", vendor error 0x")
                .append(Integer.toHexString(completion.vendorError()))
                .append(").")
                .append(System.lineSeparator())
                .append("  here:  ")
                .append(end(here, completion.queuePairNumber()))
                .append(System.lineSeparator())
                .append("  there: ")
                .append(end(there, remoteQueuePair))
                .append(System.lineSeparator())
                .append("  path:  MTU ")
                .append(path.mtu().bytes())
                .append(", given up after ")
                .append(settings.timeout())
                .append(" without an answer, traffic class ")
                .append(settings.trafficClass())
                .append(", service level ")
                .append(settings.serviceLevel())
                .append(System.lineSeparator())
                .append("  Likely causes, the likeliest first:");
        int number = 0;
        for (final Cause cause : Causes.of(this)) {
            number++;
            text.append(System.lineSeparator()).append("  ").append(number).append(". ").append(cause);
        }
        return text.toString();
    }

    private static String end(final PathEnd end, final int queuePair) {
        return end.describe() + ", queue pair 0x" + Integer.toHexString(queuePair);
    }
}
