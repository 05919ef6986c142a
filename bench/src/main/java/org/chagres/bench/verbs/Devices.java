package org.chagres.bench.verbs;

import java.util.List;
import java.util.stream.Collectors;
import org.chagres.bench.UsageException;
import org.chagres.verbs.Device;
import org.chagres.verbs.Verbs;
import org.chagres.verbs.VerbsException;

/** The RDMA devices of this machine, or one line that says why there are none. */
final class Devices {
    static final String NONE = "no RDMA device on this machine: load the driver of one, or make a software device with"
            + " modprobe rdma_rxe && rdma link add rxe0 type rxe netdev eth0";

    private Devices() {
    }

    /**
     * All of them, at least one.
     *
     * @throws UsageException if there is no libibverbs, no RDMA in the kernel, or no device
     */
    static List<Device> all() {
        final List<Device> devices;
        try {
            devices = Verbs.devices();
        } catch (final VerbsException e) {
            throw new UsageException(e.getMessage(), e);
        }
        if (devices.isEmpty()) {
            throw new UsageException(NONE);
        }
        return devices;
    }

    /**
     * The one called {@code name}; if that is null, the first.
     *
     * @throws UsageException as {@link #all}, or if none has that name: the message lists those that exist
     */
    static Device named(final List<Device> devices, final String name) {
        if (name == null) {
            return devices.getFirst();
        }
        return devices.stream()
                .filter(device -> device.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("no RDMA device is called " + name + ": there is "
                        + devices.stream().map(Device::name).collect(Collectors.joining(", "))));
    }
}
