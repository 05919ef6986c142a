package org.chagres.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Where to start: the devices of this machine. */
public final class Verbs {
    private Verbs() {
    }

    /** Every way to reach devices that is on the class path, best first, whether it works here or not. */
    public static List<VerbsProvider> providers() {
        final List<VerbsProvider> providers = new ArrayList<>();
        ServiceLoader.load(VerbsProvider.class, Verbs.class.getClassLoader()).forEach(providers::add);
        return List.copyOf(providers);
    }

    /**
     * The first provider that works here.
     *
     * @throws VerbsException if none does: the message gives each one's reason and remedy
     */
    public static VerbsProvider provider() {
        return firstAvailable(providers());
    }

    static VerbsProvider firstAvailable(final List<VerbsProvider> providers) {
        final StringBuilder reasons = new StringBuilder();
        for (final VerbsProvider provider : providers) {
            final var reason = provider.unavailable();
            if (reason.isEmpty()) {
                return provider;
            }
            reasons.append("; ").append(provider.name()).append(": ").append(reason.get());
        }
        throw new VerbsException("no RDMA on this machine" + (reasons.isEmpty()
                ? ": no provider is on the class path"
                : reasons.toString()));
    }

    /**
     * The devices of {@link #provider}.
     *
     * @throws VerbsException if there is no provider
     */
    public static List<Device> devices() {
        return provider().devices();
    }

    /**
     * Opens the device called {@code name}, such as {@code mlx5_0} or {@code rxe0}.
     *
     * @throws VerbsException if there is none of that name (the message lists those that exist), or it cannot be opened
     */
    public static Context open(final String name) {
        return find(devices(), name).open();
    }

    static Device find(final List<Device> devices, final String name) {
        for (final Device device : devices) {
            if (device.name().equals(name)) {
                return device;
            }
        }
        final String existing = devices.stream().map(Device::name).collect(Collectors.joining(", "));
        throw new VerbsException("no RDMA device is called " + name + ": " + (devices.isEmpty()
                ? "there is none at all"
                : "there are " + existing));
    }
}
