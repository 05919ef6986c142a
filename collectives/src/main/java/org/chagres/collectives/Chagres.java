package org.chagres.collectives;

import java.util.Arrays;
import java.util.Map;
import org.chagres.bootstrap.Membership;
import org.chagres.bootstrap.Rendezvous;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Topology;

/** Where a process joins its world. */
public final class Chagres {
    private Chagres() {
    }

    /**
     * Joins the world of which the launcher that started this process made it a rank: torchrun or {@code chagres launch} ({@code RANK}, {@code WORLD_SIZE},
     * {@code MASTER_ADDR}, {@code MASTER_PORT}), Open MPI's mpirun, MPICH's mpiexec, Slurm's srun, or an indexed job of Kubernetes. Waits for all ranks, at
     * most for {@code CHAGRES_JOIN_TIMEOUT}. The communicator is the caller's to close.
     *
     * @throws IllegalArgumentException if no launcher's environment is found, or it is incomplete or contradicts itself, or a setting has an unknown value
     * @throws org.chagres.bootstrap.JoinException if the ranks do not come together or disagree; the message says who is missing or what differs
     * @throws IllegalStateException if the JVM lacks a flag that Chagres needs; the message names it
     */
    public static Communicator join() {
        return join(System.getenv());
    }

    /** {@link #join()} by a map instead of the environment of this process. */
    public static Communicator join(final Map<String, String> environment) {
        Requirements.check();
        final Settings settings = Settings.of(environment);
        final Membership membership = Rendezvous.join(environment);
        try {
            return Communicator.of(membership, settings);
        } catch (final RuntimeException e) {
            membership.close();
            throw e;
        }
    }

    /**
     * What rank {@code rank} of a world of {@code size} on one host would do with the settings of this process's environment, without joining any: its
     * plan, the algorithm, why it was chosen, and what the others would cost.
     *
     * @param count elements, as {@link Collective} defines
     * @throws IllegalArgumentException if an argument is out of range
     */
    public static String explain(final Collective collective, final int size, final int rank, final long count,
            final DataType type, final int root) {
        return explain(collective, size, Topology.ONE_HOST, rank, count, type, root);
    }

    /**
     * {@link #explain(Collective, int, int, long, DataType, int)} for ranks on several hosts: the first ones on the first host, and so on.
     *
     * @param ranksPerHost by host, each at least 1
     */
    public static String explain(final Collective collective, final int[] ranksPerHost, final int rank,
            final long count, final DataType type, final int root) {
        return explain(collective, Arrays.stream(ranksPerHost).sum(), Topology.blocks(ranksPerHost), rank, count, type,
                root);
    }

    private static String explain(final Collective collective, final int size, final Topology topology, final int rank,
            final long count, final DataType type, final int root) {
        final Shape shape = new Shape(collective, size, root, count, type.size());
        if (rank < 0 || rank >= size) {
            throw new IllegalArgumentException("rank " + rank + " is out of range: ranks are 0.." + (size - 1));
        }
        return new Operations(rank, size, Settings.of(System.getenv()), topology).explain(shape, type);
    }
}
