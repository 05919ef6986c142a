package org.chagres.transport.verbs;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A network namespace in which every device called {@code eth...} is up, unless a test says otherwise. */
final class FakeNetwork implements NetworkDevices {
    private static final int JUMBO = 9000;
    private final Map<String, Boolean> up = new HashMap<>();
    private final Map<InetAddress, String> owners = new HashMap<>();

    FakeNetwork down(final String name) {
        up.put(name, false);
        return this;
    }

    FakeNetwork address(final String literal, final String owner) {
        owners.put(InetAddress.ofLiteral(literal), owner);
        return this;
    }

    @Override
    public Optional<NetworkDevice> called(final String name) {
        return name.startsWith("eth")
                ? Optional.of(new NetworkDevice(name, up.getOrDefault(name, true), JUMBO))
                : Optional.empty();
    }

    @Override
    public Optional<NetworkDevice> having(final InetAddress address) {
        return Optional.ofNullable(owners.get(address)).flatMap(this::called);
    }
}
