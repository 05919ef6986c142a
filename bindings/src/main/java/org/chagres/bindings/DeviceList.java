package org.chagres.bindings;

import java.lang.foreign.ValueLayout;

/**
 * The RDMA devices of this machine, as {@code ibv_get_device_list} finds them; close it when the wanted ones are open.
 * <p>
 * A machine without RDMA support in its kernel has no devices, which is not a failure.
 */
public final class DeviceList implements AutoCloseable {
    private final int count;
    private long list;

    private DeviceList(final long list) {
        this.list = list;
        int n = 0;
        while (list != 0 && entry(n) != 0) {
            n++;
        }
        this.count = n;
    }

    /**
     * Lists the devices.
     *
     * @return a list to close; empty where the kernel has no RDMA support
     * @throws ErrnoException
     *             if the devices cannot be read, with EPERM or ENOMEM
     * @throws UnsupportedOperationException
     *             if libibverbs is absent
     */
    public static DeviceList open() {
        final long list = Verbs.getDeviceList(0);
        if (list == 0 && CallState.errno() != Errno.ENOSYS) {
            throw new ErrnoException("ibv_get_device_list", CallState.errno());
        }
        return new DeviceList(list);
    }

    /**
     * How many devices there are.
     *
     * @return 0 or more
     */
    public int size() {
        return count;
    }

    /**
     * One device.
     *
     * @param index
     *            from 0 on
     * @return address of an {@code ibv_device}, valid until the list is closed or, once opened, until its context is
     */
    public long get(final int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("device " + index + " of " + count);
        }
        if (list == 0) {
            throw new IllegalStateException("the device list is closed");
        }
        return entry(index);
    }

    @Override
    public void close() {
        if (list != 0) {
            Verbs.freeDeviceList(list);
            list = 0;
        }
    }

    private long entry(final int index) {
        final long offset = (long) index * Long.BYTES;
        return Pointers.at(list, offset + Long.BYTES).get(ValueLayout.JAVA_LONG, offset);
    }
}
