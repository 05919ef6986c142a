package org.chagres.verbs;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** An RDMA device of this machine: what is known of it before it is opened. A value; it holds nothing. */
public interface Device {
    /** The kernel's name, such as {@code mlx5_0}. */
    String name();

    /** The node GUID in host byte order; 0 if the device has none. */
    long guid();

    /** The kernel's index of the device. */
    OptionalInt index();

    NodeType nodeType();

    TransportType transport();

    /** The version of its firmware; empty if unknown. */
    Optional<String> firmware();

    /** The NUMA node that its PCI slot belongs to; empty for software devices and machines with one node. */
    OptionalInt numaNode();

    /** The network devices beneath it, such as {@code eth0}; none for InfiniBand without IPoIB. */
    List<String> networkDevices();

    /**
     * Opens the device.
     *
     * @return to be closed
     * @throws VerbsException if it is gone or may not be used: the message names the file, its owner, group and mode, and the remedy
     */
    Context open();
}
