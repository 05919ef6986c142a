package org.chagres.bootstrap;

import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** A program that starts the ranks of a job and tells each of them its place by environment variables. {@link WorldInfo} lists them all. */
sealed interface Launcher permits TorchrunLauncher, OpenMpiLauncher, MpichLauncher, SlurmLauncher, KubernetesLauncher {
    String LOOPBACK = "127.0.0.1";

    /** Its name and the variables by which it is known, for people. */
    String label();

    /** Whether it started this process. */
    boolean started(Environment environment);

    /**
     * Reads and checks its variables.
     *
     * @throws IllegalArgumentException if one is missing, malformed, or contradicts another
     */
    WorldInfo world(Environment environment);

    /**
     * A world whose launcher does not say where rank 0 listens: {@code MASTER_ADDR} and {@code MASTER_PORT} do if they are set; else it is derived.
     *
     * @param sizeVariable which the size was read from
     * @param address where rank 0 is
     * @param port where it listens
     * @param source the launcher's name
     */
    static WorldInfo derive(final Environment environment, final Place place, final String sizeVariable,
            final Supplier<String> address, final IntSupplier port, final String source) {
        final int stated = environment.optional(Environment.WORLD_SIZE, 1);
        if (stated > 0 && stated != place.size()) {
            throw Place.contradiction(Environment.WORLD_SIZE, stated, sizeVariable, place.size(),
                    "unset it, or set RANK too, and that counts");
        }
        if (place.size() == 1 && !environment.has(Environment.MASTER_ADDR)) {
            return new WorldInfo(place, "localhost", 0, source, WorldInfo.CHOOSE_PORT);
        }
        final String host = environment.has(Environment.MASTER_ADDR)
                ? environment.get(Environment.MASTER_ADDR)
                : address.get();
        return environment.has(Environment.MASTER_PORT)
                ? new WorldInfo(place, host, environment.masterPort(""), source, WorldInfo.CHOOSE_PORT)
                : new WorldInfo(place, host, port.getAsInt(), source + ", which gives no MASTER_PORT",
                        WorldInfo.CHOOSE_PORT);
    }
}
