package org.chagres.bootstrap;

/**
 * MPICH's mpiexec and those built on the same process manager, Hydra, such as Intel MPI's. It gives neither an address of rank 0 nor an identity of the
 * job. Slurm may set the PMI variables too, but not the local ones.
 */
final class MpichLauncher implements Launcher {
    private static final String LOCAL_RANK = "MPI_LOCALRANKID";
    private static final Place.Variables PLACE = new Place.Variables("PMI_RANK", "PMI_SIZE", LOCAL_RANK,
            "MPI_LOCALNRANKS");

    @Override
    public String label() {
        return "MPICH's mpiexec (PMI_RANK, PMI_SIZE, MPI_LOCALRANKID)";
    }

    @Override
    public boolean started(final Environment environment) {
        return environment.has("PMI_RANK") && environment.has(LOCAL_RANK);
    }

    @Override
    public WorldInfo world(final Environment environment) {
        final Place place = PLACE.read(environment, "MPICH's mpiexec sets it; start the rank with mpiexec");
        return Launcher.derive(environment, place, PLACE.size(), () -> address(place), () -> DerivedPort.FIXED,
                "MPICH's mpiexec");
    }

    private static String address(final Place place) {
        if (place.localSize() == place.size()) {
            return LOOPBACK;
        }
        throw new IllegalArgumentException(
                "MASTER_ADDR is not set, and mpiexec does not say where rank 0 is: use mpiexec"
                        + " -genv MASTER_ADDR <address of rank 0's host>");
    }
}
