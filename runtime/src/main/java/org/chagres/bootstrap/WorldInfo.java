package org.chagres.bootstrap;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A rank's place in its world, as the launcher that started it describes it.
 *
 * @param rank counts from 0
 * @param size ranks of the world
 * @param localRank among the ranks of this host, or -1 if unknown
 * @param localSize ranks of this host, or -1 if unknown
 * @param masterAddress name or address of the host where rank 0 listens
 * @param masterPort the port there, or 0 where nobody listens: in a world of one
 * @param source which launcher says so, for people: "Slurm's srun, which gives no MASTER_PORT"
 * @param portRemedy what to do if the port is taken, for people
 */
public record WorldInfo(int rank, int size, int localRank, int localSize, String masterAddress, int masterPort,
        String source, String portRemedy) {
    static final String CHOOSE_PORT = "set MASTER_PORT to a port that is free on rank 0's host, the same for all ranks";
    /**
     * In order of precedence. What names everything comes first; then the process managers of MPI before Slurm, within whose jobs they run; their ranks
     * inherit variables of Slurm that do not concern them.
     */
    private static final List<Launcher> LAUNCHERS = List.of(new TorchrunLauncher(), new OpenMpiLauncher(),
            new MpichLauncher(), new SlurmLauncher(), new KubernetesLauncher(Path.of("/etc/hosts")));

    /** A place that somebody states outright. */
    public WorldInfo(final int rank, final int size, final int localRank, final int localSize,
            final String masterAddress, final int masterPort) {
        this(rank, size, localRank, localSize, masterAddress, masterPort, "RANK and WORLD_SIZE", CHOOSE_PORT);
    }

    WorldInfo(final Place place, final String masterAddress, final int masterPort, final String source,
            final String portRemedy) {
        this(place.rank(), place.size(), place.localRank(), place.localSize(), masterAddress, masterPort, source,
                portRemedy);
    }

    /**
     * The place that the environment describes.
     *
     * @throws IllegalArgumentException if no launcher is found, or a variable is missing, malformed, or contradicts another
     */
    public static WorldInfo fromEnvironment(final Map<String, String> environment) {
        return find(environment).orElseThrow(() -> new IllegalArgumentException(unset(new Environment(environment))));
    }

    /**
     * The place that the environment describes, or empty if no launcher started this process.
     *
     * @throws IllegalArgumentException if a variable of the launcher is missing, malformed, or contradicts another
     */
    public static Optional<WorldInfo> find(final Map<String, String> environment) {
        final Environment variables = new Environment(environment);
        return LAUNCHERS.stream()
                .filter(launcher -> launcher.started(variables))
                .findFirst()
                .map(launcher -> launcher.world(variables));
    }

    private static String unset(final Environment environment) {
        final String size = environment.get(Environment.WORLD_SIZE);
        return TorchrunLauncher.RANK + " is not set" + (size == null ? "" : ", but WORLD_SIZE=" + size + " is")
                + ", nor is there another launcher's environment. These are understood: "
                + LAUNCHERS.stream().map(Launcher::label).collect(Collectors.joining("; "))
                + ". For ranks within one JVM use World.threads(n)";
    }
}
