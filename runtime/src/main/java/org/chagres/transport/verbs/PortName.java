package org.chagres.transport.verbs;

import java.util.Objects;

/**
 * A port of a device of this host.
 *
 * @param device such as {@code mlx5_0}
 * @param port from 1 on
 */
public record PortName(String device, int port) {
    private static final int MAX_PORT = 255;

    /** Checks that the port is one. */
    public PortName {
        Objects.requireNonNull(device, "device");
        if (device.isEmpty() || port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException(
                    "'" + device + ":" + port + "' is not a port: use device:port, such as mlx5_0:1");
        }
    }

    /**
     * Reads {@code device:port}, or a device alone for its port 1.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    static PortName parse(final String text) {
        final int colon = text.indexOf(':');
        try {
            return new PortName(text.substring(0, colon < 0 ? text.length() : colon).strip(),
                    colon < 0 ? 1 : Integer.parseInt(text.substring(colon + 1).strip()));
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a port: use device:port, such as mlx5_0:1", e);
        }
    }

    /** The form {@code mlx5_0:1}. */
    @Override
    public String toString() {
        return device + ":" + port;
    }
}
