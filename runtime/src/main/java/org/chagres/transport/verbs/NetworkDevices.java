package org.chagres.transport.verbs;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;

/** The network devices of this network namespace, which decide what GIDs of RoCE can be sent from. */
public interface NetworkDevices {
    /** The device called {@code name}; empty if this namespace has none. */
    Optional<NetworkDevice> called(String name);

    /** The device with an address; empty if this namespace has none. */
    Optional<NetworkDevice> having(InetAddress address);

    /** Those there are now. */
    static NetworkDevices ofThisHost() {
        return new HostNetworkDevices(Path.of("/sys/class/net"));
    }
}
