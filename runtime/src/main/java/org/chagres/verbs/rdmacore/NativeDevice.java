package org.chagres.verbs.rdmacore;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.chagres.bindings.CallState;
import org.chagres.bindings.DeviceList;
import org.chagres.bindings.Errno;
import org.chagres.bindings.Verbs;
import org.chagres.bindings.verbs.ibv_device;
import org.chagres.verbs.Context;
import org.chagres.verbs.Device;
import org.chagres.verbs.NodeType;
import org.chagres.verbs.TransportType;
import org.chagres.verbs.VerbsException;

/** A device by name: libibverbs forgets its own objects with each list, so it is looked up again to be opened. */
record NativeDevice(String name, long guid, OptionalInt index, NodeType nodeType,
        TransportType transport) implements Device {
    /** GID rows whose network device is looked at: the first two are the interface's own. */
    private static final int ROWS = 2;

    /** What is known of an {@code ibv_device}, which need not live on. */
    static NativeDevice of(final long device) {
        final MemorySegment fields = MemorySegment.ofAddress(device).reinterpret(ibv_device.sizeof());
        final int index = indexOf(device);
        return new NativeDevice(Verbs.getDeviceName(device), Long.reverseBytes(Verbs.getDeviceGuid(device)),
                index < 0 ? OptionalInt.empty() : OptionalInt.of(index), NodeType.of(ibv_device.node_type(fields)),
                TransportType.of(ibv_device.transport_type(fields)));
    }

    private static int indexOf(final long device) {
        try {
            return Verbs.getDeviceIndex(device);
        } catch (final UnsupportedOperationException tooOld) {
            return -1;
        }
    }

    @Override
    public Optional<String> firmware() {
        return Sysfs.attribute(name, "fw_ver");
    }

    @Override
    public OptionalInt numaNode() {
        // The kernel says -1 where there is one node only.
        return Sysfs.attribute(name, "device/numa_node")
                .map(Integer::parseInt)
                .filter(node -> node >= 0)
                .map(OptionalInt::of)
                .orElseGet(OptionalInt::empty);
    }

    @Override
    public List<String> networkDevices() {
        final Set<String> names = new LinkedHashSet<>();
        for (final String port : Sysfs.entries(name, "ports")) {
            for (int row = 0; row < ROWS; row++) {
                Sysfs.attribute(name, "ports/" + port + "/gid_attrs/ndevs/" + row).ifPresent(names::add);
            }
        }
        names.addAll(Sysfs.entries(name, "device/net"));
        // Software devices say what they were made on.
        Sysfs.attribute(name, "parent").ifPresent(names::add);
        return List.copyOf(names);
    }

    @Override
    public Context open() {
        try (DeviceList list = DeviceList.open()) {
            for (int i = 0; i < list.size(); i++) {
                if (name.equals(Verbs.getDeviceName(list.get(i)))) {
                    return open(list.get(i));
                }
            }
        }
        throw new VerbsException("the device " + name + " is gone");
    }

    private Context open(final long device) {
        final long context = Verbs.openDevice(device);
        if (context == 0) {
            final int errno = CallState.errno();
            final boolean file = errno == Errno.EACCES || errno == Errno.EPERM || errno == Errno.ENOENT;
            throw Failures.of("the device " + name + " cannot be opened", "ibv_open_device", errno,
                    file ? DeviceFile.advice(Sysfs.uverbsFile(name)) : "");
        }
        return NativeContext.owned(this, context);
    }

    @Override
    public String toString() {
        return name;
    }
}
