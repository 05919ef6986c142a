package org.chagres.verbs.rdmacore;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.chagres.bindings.DeviceList;
import org.chagres.bindings.ErrnoException;
import org.chagres.bindings.RdmaCm;
import org.chagres.bindings.Verbs;
import org.chagres.verbs.CmEventChannel;
import org.chagres.verbs.Device;
import org.chagres.verbs.VerbsException;
import org.chagres.verbs.VerbsProvider;

/** The devices that libibverbs knows. */
public final class RdmaCoreProvider implements VerbsProvider {
    private static final String NO_DEVICE = "the kernel has no RDMA device: load the driver of the adapter (lspci, modprobe) and ib_uverbs; to try RDMA"
            + " over any Ethernet device, 'modprobe rdma_rxe' and 'rdma link add rxe0 type rxe netdev eth0'";

    /** For {@link java.util.ServiceLoader}. */
    public RdmaCoreProvider() {
    }

    @Override
    public String name() {
        return "rdma-core";
    }

    /** The library is absent, or the kernel has no RDMA or no device. */
    @Override
    public Optional<String> unavailable() {
        if (!Verbs.LIBRARY.available()) {
            return Optional.of(Verbs.LIBRARY.reason());
        }
        try {
            return devices().isEmpty() ? Optional.of(noDevice(Sysfs.devices())) : Optional.empty();
        } catch (final VerbsException failure) {
            return Optional.of(failure.getMessage());
        }
    }

    static String noDevice(final List<String> ofKernel) {
        return ofKernel.isEmpty()
                ? NO_DEVICE
                : "the kernel has " + ofKernel
                        + ", but libibverbs lists no device: the files /dev/infiniband/uverbs* are missing (modprobe ib_uverbs; in a"
                        + " container, docker run --device), or the device's user-space driver is (Debian package ibverbs-providers)";
    }

    @Override
    public List<Device> devices() {
        if (!Verbs.LIBRARY.available()) {
            return List.of();
        }
        try (DeviceList list = DeviceList.open()) {
            final List<Device> devices = new ArrayList<>();
            for (int i = 0; i < list.size(); i++) {
                devices.add(NativeDevice.of(list.get(i)));
            }
            return List.copyOf(devices);
        } catch (final ErrnoException failure) {
            throw NativeDevice.unlisted(failure);
        }
    }

    @Override
    public Optional<String> connectionManagerUnavailable() {
        return RdmaCm.LIBRARY.available() ? NativeCmEventChannel.unavailable() : Optional.of(RdmaCm.LIBRARY.reason());
    }

    @Override
    public CmEventChannel createEventChannel() {
        return NativeCmEventChannel.open();
    }
}
