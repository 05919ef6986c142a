package org.chagres.bootstrap;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * The port at which rank 0 listens where the launcher gives none: every rank derives the same from what identifies the job, so that two jobs on one host
 * seldom meet. The ports lie below 32768, where Linux by default begins to hand out ports to outgoing connections, and below Kubernetes' node ports.
 */
final class DerivedPort {
    /** {@value}, for launchers that give a job no identity. */
    static final int FIXED = 29_000;
    /** {@value}: the derived ports are this one and those up to {@link #FIXED}, exclusive. */
    static final int LOWEST = 20_000;

    private DerivedPort() {
    }

    /** Numbers that are close to each other get different ports. */
    static int of(final long job) {
        return LOWEST + Math.floorMod(job, FIXED - LOWEST);
    }

    static int of(final String job) {
        final CRC32 hash = new CRC32();
        hash.update(job.getBytes(StandardCharsets.UTF_8));
        return of(hash.getValue());
    }
}
