package org.chagres.bootstrap;

/**
 * The variables that torchrun made customary ({@code RANK}, {@code WORLD_SIZE}, {@code LOCAL_RANK}, {@code LOCAL_WORLD_SIZE}, {@code MASTER_ADDR},
 * {@code MASTER_PORT}), whoever sets them: torchrun, {@code chagres launch}, a training operator, a person. They say all, so they come before any others.
 * See "Environment Variables" in <a href="https://pytorch.org/docs/stable/elastic/run.html">torchrun's manual</a>.
 */
final class TorchrunLauncher implements Launcher {
    static final String RANK = "RANK";
    private static final Place.Variables PLACE = new Place.Variables(RANK, Environment.WORLD_SIZE, "LOCAL_RANK",
            "LOCAL_WORLD_SIZE");
    private static final String REMEDY = "set RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT for every rank, as torchrun and"
            + " chagres launch do, or none of them; for ranks within one JVM use World.threads(n)";

    @Override
    public String label() {
        return "torchrun or chagres launch (RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT)";
    }

    @Override
    public boolean started(final Environment environment) {
        return environment.has(RANK);
    }

    @Override
    public WorldInfo world(final Environment environment) {
        final Place place = PLACE.read(environment, REMEDY);
        final String source = environment.has("TORCHELASTIC_RUN_ID") ? "torchrun" : "RANK and WORLD_SIZE";
        if (place.size() == 1 && !environment.has(Environment.MASTER_ADDR)) {
            return new WorldInfo(place, "localhost", 0, source, WorldInfo.CHOOSE_PORT);
        }
        final String address = environment.required(Environment.MASTER_ADDR, REMEDY);
        final int port = environment.masterPort(REMEDY);
        return "True".equalsIgnoreCase(environment.get("TORCHELASTIC_USE_AGENT_STORE"))
                ? besideTheStore(place, address, port)
                : new WorldInfo(place, address, port, source, WorldInfo.CHOOSE_PORT);
    }

    /**
     * torchrun itself serves a store at {@code MASTER_PORT}. The next port is no choice: two jobs on one host are customarily given adjacent ports. This
     * one differs from {@code MASTER_PORT}, and adjacent ones remain different.
     */
    private static WorldInfo besideTheStore(final Place place, final String address, final int storePort) {
        return new WorldInfo(place, address, DerivedPort.of(storePort),
                "torchrun, whose own store listens at MASTER_PORT=" + storePort,
                "start torchrun with another --master-port, from which the port is derived");
    }
}
