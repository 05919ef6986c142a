package org.chagres.bootstrap;

import java.time.Duration;
import java.util.Map;
import org.chagres.net.Credentials;
import org.chagres.net.EventLoop;

/**
 * Joins the ranks of a job. Rank 0 listens at the coordinator address while the world forms; the others connect to it, prove that they know the job's secret,
 * learn of each other, and connect to each other; then the coordinator address is closed.
 */
public final class Rendezvous {
    /** Seconds within which all ranks must have joined; default 300. */
    public static final String TIMEOUT_VARIABLE = "CHAGRES_JOIN_TIMEOUT";
    /** Seconds for which another host may leave what is sent to it unacknowledged before it counts as gone; default 1. */
    public static final String LIVENESS_VARIABLE = "CHAGRES_LIVENESS_TIMEOUT";
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration DEFAULT_LIVENESS = Duration.ofSeconds(1);

    private Rendezvous() {
    }

    /**
     * Joins the world that the environment describes.
     *
     * @throws IllegalArgumentException if the environment is incomplete or contradicts itself
     * @throws JoinException if the ranks do not come together
     */
    public static Membership join(final Map<String, String> environment) {
        final WorldInfo info = WorldInfo.fromEnvironment(environment);
        final Duration timeout = Seconds.of(environment, TIMEOUT_VARIABLE, DEFAULT_TIMEOUT);
        final Duration liveness = Seconds.of(environment, LIVENESS_VARIABLE, DEFAULT_LIVENESS);
        if (info.size() == 1) {
            return LocalMembership.world(1).getFirst();
        }
        final Secret secret = Secret.of(environment);
        final Credentials credentials = Credentials.of(secret.key(), WorldName.of(environment));
        final Peer me = new Peer(info.rank(), HostIdentity.hostName(), ProcessHandle.current().pid(),
                HostIdentity.of(environment));
        final EventLoop loop = EventLoop.start("chagres-control-" + info.rank());
        try {
            return new Joining(environment, info, me, secret, credentials, liveness, loop, Deadline.in(timeout)).join();
        } catch (final RuntimeException e) {
            loop.close();
            throw e;
        }
    }
}
