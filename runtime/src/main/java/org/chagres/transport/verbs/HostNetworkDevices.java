package org.chagres.transport.verbs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What the JDK knows, and of devices without an address, which the JDK does not list, what the kernel tells in files. */
final class HostNetworkDevices implements NetworkDevices {
    private static final int IFF_UP = 1;

    private final Path files;

    /** Those that the JDK lists, and in {@code files} those that it does not. */
    HostNetworkDevices(final Path files) {
        this.files = files;
    }

    @Override
    public Optional<NetworkDevice> called(final String name) {
        try {
            final NetworkInterface known = NetworkInterface.getByName(name);
            return known == null ? fromFiles(name) : Optional.of(of(known));
        } catch (final SocketException e) {
            return fromFiles(name);
        }
    }

    @Override
    public Optional<NetworkDevice> having(final InetAddress address) {
        try {
            final NetworkInterface known = NetworkInterface.getByInetAddress(address);
            return known == null ? Optional.empty() : Optional.of(of(known));
        } catch (final SocketException e) {
            return Optional.empty();
        }
    }

    private static NetworkDevice of(final NetworkInterface known) throws SocketException {
        return new NetworkDevice(known.getName(), known.isUp(), known.getMTU());
    }

    private Optional<NetworkDevice> fromFiles(final String name) {
        final Path folder = files.resolve(name);
        try {
            return Optional.of(new NetworkDevice(name, (number(folder.resolve("flags")) & IFF_UP) != 0,
                    number(folder.resolve("mtu"))));
        } catch (final IOException | NumberFormatException absent) {
            return Optional.empty();
        }
    }

    private static int number(final Path file) throws IOException {
        return Integer.decode(Files.readString(file).strip());
    }
}
