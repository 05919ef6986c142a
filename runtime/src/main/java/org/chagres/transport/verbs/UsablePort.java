package org.chagres.transport.verbs;

import java.util.OptionalInt;
import org.chagres.verbs.Device;
import org.chagres.verbs.PortAttributes;

/**
 * A port that can carry traffic.
 *
 * @param device to be opened by whoever uses the port
 * @param name device and port
 * @param attributes the port as it was when looked at
 * @param gid the GID to use
 * @param networkMtu bytes of the largest IP packet of the network device beneath; empty if there is none
 */
public record UsablePort(Device device, PortName name, PortAttributes attributes, GidChoice gid,
        OptionalInt networkMtu) {
    /** The NUMA node of the device; empty if unknown. */
    public OptionalInt numaNode() {
        return device.numaNode();
    }
}
