package org.chagres.bootstrap;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Open MPI's mpirun. It gives no address of rank 0. Where all ranks are on one host none is needed; else rank 0 is taken to be on mpirun's host, whose
 * address Open MPI 4 tells in {@code OMPI_MCA_orte_hnp_uri}, and rank 0 refuses if it finds itself elsewhere.
 */
final class OpenMpiLauncher implements Launcher {
    private static final String SIZE = "OMPI_COMM_WORLD_SIZE";
    private static final Place.Variables PLACE = new Place.Variables("OMPI_COMM_WORLD_RANK", SIZE,
            "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE");
    /** The head node process, mpirun itself: {@code JOB.0;tcp://ADDRESS,ADDRESS:PORT;tcp6://[ADDRESS]:PORT}. */
    private static final String HEAD_URI = "OMPI_MCA_orte_hnp_uri";
    /** The same of the daemon that started this rank. */
    private static final String DAEMON_URI = "OMPI_MCA_orte_local_daemon_uri";
    private static final Pattern IPV4 = Pattern.compile("tcp://([0-9.,]+):\\d+");

    @Override
    public String label() {
        return "Open MPI's mpirun (OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE)";
    }

    @Override
    public boolean started(final Environment environment) {
        return environment.has("OMPI_COMM_WORLD_RANK");
    }

    @Override
    public WorldInfo world(final Environment environment) {
        final Place place = PLACE.read(environment, "Open MPI's mpirun sets it; start the rank with mpirun");
        return Launcher.derive(environment, place, SIZE, () -> address(environment, place),
                () -> DerivedPort.of(environment.required("PMIX_NAMESPACE",
                        "without it no port can be derived; use mpirun -x MASTER_PORT=<a free port>")),
                "Open MPI's mpirun");
    }

    private static String address(final Environment environment, final Place place) {
        if (place.localSize() == place.size()) {
            return LOOPBACK;
        }
        final String head = environment.get(HEAD_URI);
        if (head == null) {
            throw unknown("mpirun does not say where rank 0 is");
        }
        if (place.rank() == 0 && !head.equals(environment.get(DAEMON_URI))) {
            throw unknown("rank 0 is not on mpirun's host");
        }
        final Matcher addresses = IPV4.matcher(head);
        if (!addresses.find() || addresses.group(1).contains(",")) {
            throw unknown("mpirun's host has not one IPv4 address but " + head);
        }
        return addresses.group(1);
    }

    private static IllegalArgumentException unknown(final String why) {
        return new IllegalArgumentException("MASTER_ADDR is not set, and " + why
                + ": use mpirun -x MASTER_ADDR=<address of rank 0's host>");
    }
}
