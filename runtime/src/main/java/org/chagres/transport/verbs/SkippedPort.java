package org.chagres.transport.verbs;

/**
 * A port, or a whole device, that is not used.
 *
 * @param name {@code mlx5_0:1}, or {@code mlx5_0} for all ports
 * @param kind of the reason
 * @param reason for people, with the remedy
 */
public record SkippedPort(String name, VerbsProblem.Kind kind, String reason) {
    /** For people. */
    @Override
    public String toString() {
        return name + ": " + reason;
    }
}
