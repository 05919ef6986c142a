package org.chagres.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The environments of real launchers, as Debian 12's packages set them, and what can be wrong with them. */
class LauncherTest {
    private static final String HEAD = "933363712.0;tcp://192.0.2.2:41817;tcp6://[fd00::2]:36409";

    /** A rank of a world of {@code size} on hosts of {@code localSize} ranks each, which is started by each launcher. */
    private enum Kind {
        OPEN_MPI("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), MPICH("PMI_RANK", "PMI_SIZE"), SLURM("SLURM_PROCID",
                "SLURM_STEP_NUM_TASKS");

        private final String rank;
        private final String size;

        Kind(final String rank, final String size) {
            this.rank = rank;
            this.size = size;
        }

        Map<String, String> environment(final int rank, final int size, final int localSize) {
            final String local = "" + rank % localSize;
            final Map<String, String> environment = new HashMap<>(switch (this) {
                case OPEN_MPI -> Map.of("OMPI_COMM_WORLD_LOCAL_RANK", local, "OMPI_COMM_WORLD_LOCAL_SIZE",
                        "" + localSize, "PMIX_NAMESPACE", "933363713", "OMPI_MCA_orte_hnp_uri", HEAD,
                        "OMPI_MCA_orte_local_daemon_uri",
                        rank < localSize ? HEAD : "933363712.1;tcp://192.0.2.3:49033");
                case MPICH -> Map.of("MPI_LOCALRANKID", local, "MPI_LOCALNRANKS", "" + localSize, "PMI_FD", "6");
                case SLURM -> Map.of("SLURM_NTASKS", "999", "SLURM_LOCALID", local, "SLURM_NODEID",
                        "" + rank / localSize, "SLURM_JOB_ID", "71", "SLURM_STEP_ID", "3", "SLURM_STEP_NODELIST",
                        "rack1n[08-15]", "SLURM_STEP_TASKS_PER_NODE", localSize + "(x" + size / localSize + ")");
            });
            environment.put(this.rank, "" + rank);
            environment.put(this.size, "" + size);
            return environment;
        }
    }

    private static String refusal(final Map<String, String> environment) {
        return assertThrows(IllegalArgumentException.class, () -> WorldInfo.fromEnvironment(environment)).getMessage();
    }

    private static Map<String, String> with(final Map<String, String> environment, final String... namesAndValues) {
        final Map<String, String> changed = new HashMap<>(environment);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            changed.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return changed;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void onOneHostEveryRankKnowsItsPlaceAndTheSameCoordinator(final Kind kind) {
        for (int size = 2; size <= 17; size++) {
            final Set<Integer> ports = new HashSet<>();
            for (int rank = 0; rank < size; rank++) {
                final WorldInfo info = WorldInfo.fromEnvironment(kind.environment(rank, size, size));
                assertEquals(new Place(rank, size, rank, size),
                        new Place(info.rank(), info.size(), info.localRank(), info.localSize()));
                assertEquals("127.0.0.1", info.masterAddress());
                assertTrue(info.source().contains("MASTER_PORT"), info.source());
                assertTrue(info.portRemedy().contains("MASTER_PORT"), info.portRemedy());
                ports.add(info.masterPort());
            }
            assertEquals(1, ports.size());
            final int port = ports.iterator().next();
            assertTrue(port >= 20_000 && port <= 29_000, "port " + port);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void masterAddrAndMasterPortOverrideWhatIsDerived(final Kind kind) {
        for (int rank = 0; rank < 6; rank++) {
            final Map<String, String> spread = with(kind.environment(rank, 6, 2), "MASTER_ADDR", "head");
            final WorldInfo address = WorldInfo.fromEnvironment(spread);
            assertEquals("head", address.masterAddress());
            assertEquals(2, address.localSize());
            final WorldInfo both = WorldInfo.fromEnvironment(with(spread, "MASTER_PORT", "1234"));
            assertEquals(1234, both.masterPort());
            assertNotEquals(1234, address.masterPort());
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aWorldOfOneNeedsNothingElse(final Kind kind) {
        final Map<String, String> environment = kind.environment(0, 1, 1);
        environment.keySet().removeIf(name -> name.startsWith("PMIX") || name.contains("_MCA_"));
        assertEquals(0, WorldInfo.fromEnvironment(environment).masterPort());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void contradictionsNameBothVariables(final Kind kind) {
        final Map<String, String> environment = kind.environment(0, 4, 4);
        final String beyond = refusal(with(environment, kind.rank, "4"));
        assertTrue(beyond.startsWith(kind.rank + "=4 contradicts " + kind.size + "=4"), beyond);
        final String stated = refusal(with(environment, "WORLD_SIZE", "8"));
        assertTrue(stated.startsWith("WORLD_SIZE=8 contradicts " + kind.size + "=4"), stated);
        assertEquals(4, WorldInfo.fromEnvironment(with(environment, "WORLD_SIZE", "4")).size());
        final String number = refusal(with(environment, kind.size, "four"));
        assertTrue(number.startsWith(kind.size + "=four is not a number"), number);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void ranksThatAreStatedOutrightComeFirst(final Kind kind) {
        final WorldInfo info = WorldInfo.fromEnvironment(with(kind.environment(1, 4, 4), "RANK", "5", "WORLD_SIZE", "6",
                "MASTER_ADDR", "m", "MASTER_PORT", "7"));
        assertEquals(new WorldInfo(5, 6, -1, -1, "m", 7), info);
        final String half = refusal(with(kind.environment(1, 4, 4), "RANK", "5"));
        assertTrue(half.startsWith("WORLD_SIZE is not set"), half);
    }

    @ParameterizedTest
    @CsvSource({"OPEN_MPI", "MPICH" })
    void mpiWithinASlurmJobCounts(final Kind kind) {
        final Map<String, String> environment = Kind.SLURM.environment(0, 2, 1);
        environment.putAll(kind.environment(3, 4, 4));
        assertEquals(3, WorldInfo.fromEnvironment(environment).rank());
    }

    @Test
    void slurmTellsPmiToo() {
        final Map<String, String> environment = with(Kind.SLURM.environment(3, 4, 2), "PMI_RANK", "3", "PMI_SIZE", "4",
                "PMI_FD", "9");
        assertTrue(WorldInfo.fromEnvironment(environment).source().contains("srun"));
    }

    @Test
    void slurmsRankZeroIsOnTheFirstNodeAndSeparateStepsAndJobsHaveTheirOwnPorts() {
        final Set<Integer> ports = new HashSet<>();
        for (int job = 100; job < 120; job++) {
            for (int step = 0; step < 100; step++) {
                final Map<String, String> environment = with(Kind.SLURM.environment(5, 8, 2), "SLURM_JOB_ID", "" + job,
                        "SLURM_STEP_ID", "" + step);
                final WorldInfo info = WorldInfo.fromEnvironment(environment);
                assertEquals("rack1n08", info.masterAddress());
                assertEquals(2, info.localSize());
                assertTrue(ports.add(info.masterPort()), "job " + job + " step " + step);
            }
        }
    }

    @Test
    void slurmNodesMayHaveUnequalCounts() {
        final Map<String, String> environment = with(Kind.SLURM.environment(6, 7, 1), "SLURM_NODEID", "3",
                "SLURM_LOCALID", "0", "SLURM_STEP_TASKS_PER_NODE", "2(x3),1");
        assertEquals(1, WorldInfo.fromEnvironment(environment).localSize());
        final String local = refusal(with(environment, "SLURM_LOCALID", "1"));
        assertTrue(local.startsWith("SLURM_LOCALID=1 contradicts SLURM_STEP_TASKS_PER_NODE=1"), local);
        final String node = refusal(with(environment, "SLURM_NODEID", "4"));
        assertTrue(node.contains("SLURM_NODEID=4"), node);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "4294967290", "4294967291" })
    void slurmsBatchScriptAndInteractiveShellAreNoRanks(final String step) {
        final Map<String, String> environment = with(Kind.SLURM.environment(0, 4, 4), "SLURM_STEP_ID", step);
        assertEquals(Optional.empty(), WorldInfo.find(environment));
        assertTrue(refusal(environment).contains("not within the batch script"));
    }

    @Test
    void openMpiOnSeveralHostsIsReachedAtMpirunsHost() {
        for (int rank = 0; rank < 4; rank++) {
            final WorldInfo info = WorldInfo.fromEnvironment(Kind.OPEN_MPI.environment(rank, 4, 2));
            assertEquals("192.0.2.2", info.masterAddress());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"OMPI_MCA_orte_local_daemon_uri| 7.1;tcp://192.0.2.9:1| not on mpirun's host",
            "OMPI_MCA_orte_hnp_uri| ''| does not say", "OMPI_MCA_orte_hnp_uri| 7.0;tcp6://[fd00::2]:3| IPv4" })
    void openMpiAsksForTheAddressItCannotKnow(final String name, final String value, final String why) {
        final Map<String, String> environment = with(Kind.OPEN_MPI.environment(0, 4, 2), name, value);
        if (why.equals("IPv4")) {
            environment.put("OMPI_MCA_orte_local_daemon_uri", value);
        }
        final String message = refusal(environment);
        assertTrue(message.contains(why) && message.contains("mpirun -x MASTER_ADDR="), message);
    }

    @Test
    void openMpiDoesNotGuessAmongAddresses() {
        final String two = "7.0;tcp://192.0.2.2,10.0.0.2:4";
        final String message = refusal(with(Kind.OPEN_MPI.environment(1, 4, 2), "OMPI_MCA_orte_hnp_uri", two));
        assertTrue(message.contains(two), message);
    }

    @Test
    void jobsOfOpenMpiHaveTheirOwnPorts() {
        final Map<String, String> environment = Kind.OPEN_MPI.environment(0, 2, 2);
        final int port = WorldInfo.fromEnvironment(environment).masterPort();
        final Map<String, String> other = with(environment, "PMIX_NAMESPACE", "prterun-host-12345@1");
        assertNotEquals(port, WorldInfo.fromEnvironment(other).masterPort());
        assertTrue(refusal(with(environment, "PMIX_NAMESPACE", "")).contains("mpirun -x MASTER_PORT"));
    }

    @Test
    void mpichOnSeveralHostsAsksForTheAddress() {
        final String message = refusal(Kind.MPICH.environment(0, 4, 2));
        assertTrue(message.startsWith("MASTER_ADDR is not set") && message.contains("-genv MASTER_ADDR"), message);
    }

    private static WorldInfo kubernetes(final Path hosts, final String index, final String... more) {
        final Map<String, String> environment = with(
                Map.of("JOB_COMPLETION_INDEX", index, "WORLD_SIZE", "12", "HOSTNAME", "my-job-" + index), more);
        return new KubernetesLauncher(hosts).world(new Environment(environment));
    }

    private static Path hosts(final Path folder, final String... lines) throws IOException {
        return Files.write(folder.resolve("hosts"), List.of(lines));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "11" })
    void aPodOfKubernetesFindsPodZeroBesideItself(final String index, @TempDir final Path folder) throws IOException {
        final Path file = hosts(folder, "# Kubernetes-managed hosts file.", "127.0.0.1\tlocalhost",
                "10.8.0.7\tmy-job-" + index + ".peers.ns.svc.cluster.local\tmy-job-" + index);
        final WorldInfo info = kubernetes(file, index);
        assertEquals("my-job-0.peers.ns.svc.cluster.local", info.masterAddress());
        assertEquals(29_000, info.masterPort());
        assertEquals(Integer.parseInt(index), info.rank());
        assertEquals("chosen", kubernetes(file, index, "MASTER_ADDR", "chosen").masterAddress());
        assertEquals(4000, kubernetes(file, index, "MASTER_PORT", "4000").masterPort());
    }

    @Test
    void kubernetesErrorsSayWhatTheJobMustSet(@TempDir final Path folder) throws IOException {
        final Path bare = hosts(folder, "10.8.0.7\tmy-job-1 # .peers");
        final String subdomain = assertThrows(IllegalArgumentException.class, () -> kubernetes(bare, "1")).getMessage();
        assertTrue(subdomain.startsWith("MASTER_ADDR is not set") && subdomain.contains("subdomain"), subdomain);
        final String missing = assertThrows(IllegalArgumentException.class,
                () -> kubernetes(folder.resolve("none"), "1")).getMessage();
        assertTrue(missing.startsWith("MASTER_ADDR is not set"), missing);
        final String name = assertThrows(IllegalArgumentException.class,
                () -> kubernetes(bare, "1", "HOSTNAME", "node7")).getMessage();
        assertTrue(name.contains("HOSTNAME=node7"), name);
        assertTrue(refusal(Map.of("JOB_COMPLETION_INDEX", "1")).startsWith("WORLD_SIZE is not set: Kubernetes"));
        final String beyond = refusal(Map.of("JOB_COMPLETION_INDEX", "3", "WORLD_SIZE", "3"));
        assertTrue(beyond.startsWith("JOB_COMPLETION_INDEX=3 contradicts WORLD_SIZE=3"), beyond);
    }
}
