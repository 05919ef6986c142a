package org.chagres.bootstrap;

import java.util.Map;

/**
 * A rank's place as launchers such as torchrun describe it.
 *
 * @param rank from {@code RANK}
 * @param size from {@code WORLD_SIZE}
 * @param localRank from {@code LOCAL_RANK}, or -1 if unset
 * @param localSize from {@code LOCAL_WORLD_SIZE}, or -1 if unset
 * @param masterAddress from {@code MASTER_ADDR}: where rank 0 listens
 * @param masterPort from {@code MASTER_PORT}; one more where {@code TORCHELASTIC_USE_AGENT_STORE} says that the launcher itself serves it
 */
public record WorldInfo(int rank, int size, int localRank, int localSize, String masterAddress, int masterPort) {
    private static final int MAX_PORT = 65535;

    /**
     * Reads and checks the environment.
     *
     * @throws IllegalArgumentException if a variable is missing, malformed, or contradicts another
     */
    public static WorldInfo fromEnvironment(final Map<String, String> environment) {
        final int size = number(environment, "WORLD_SIZE", 1, Integer.MAX_VALUE);
        final int rank = number(environment, "RANK", 0, Integer.MAX_VALUE);
        if (rank >= size) {
            throw new IllegalArgumentException(
                    "RANK=" + rank + " contradicts WORLD_SIZE=" + size + ": ranks are 0.." + (size - 1));
        }
        final int localSize = optional(environment, "LOCAL_WORLD_SIZE", 1);
        final int localRank = optional(environment, "LOCAL_RANK", 0);
        if (localSize > size) {
            throw new IllegalArgumentException("LOCAL_WORLD_SIZE=" + localSize + " contradicts WORLD_SIZE=" + size
                    + ": a host cannot have more ranks than the world");
        }
        if (localRank >= size || (localSize > 0 && localRank >= localSize)) {
            throw new IllegalArgumentException("LOCAL_RANK=" + localRank + " contradicts "
                    + (localSize > 0 ? "LOCAL_WORLD_SIZE=" + localSize : "WORLD_SIZE=" + size) + ": it counts from 0");
        }
        if (size == 1 && !environment.containsKey("MASTER_ADDR")) {
            return new WorldInfo(rank, size, localRank, localSize, "localhost", 0);
        }
        final String address = required(environment, "MASTER_ADDR");
        final int port = number(environment, "MASTER_PORT", 1, MAX_PORT);
        final boolean launcherListens = "True".equalsIgnoreCase(environment.get("TORCHELASTIC_USE_AGENT_STORE"));
        return new WorldInfo(rank, size, localRank, localSize, address, launcherListens ? port % MAX_PORT + 1 : port);
    }

    private static int optional(final Map<String, String> environment, final String name, final int least) {
        return environment.containsKey(name) ? number(environment, name, least, Integer.MAX_VALUE) : -1;
    }

    private static int number(final Map<String, String> environment, final String name, final int least,
            final int most) {
        final String text = required(environment, name);
        final String range = most == Integer.MAX_VALUE ? least + " or more" : least + ".." + most;
        try {
            final int value = Integer.parseInt(text.strip());
            if (value < least || value > most) {
                throw new IllegalArgumentException(name + "=" + text + " is out of range: it must be " + range);
            }
            return value;
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(name + "=" + text + " is not a number: it must be " + range, e);
        }
    }

    private static String required(final Map<String, String> environment, final String name) {
        final String value = environment.get(name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(
                    name + " is not set: a launcher such as torchrun sets RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR"
                            + " and MASTER_PORT for every rank; for ranks within one JVM use World.threads(n)");
        }
        return value;
    }
}
