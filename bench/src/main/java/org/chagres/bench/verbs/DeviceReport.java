package org.chagres.bench.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.chagres.verbs.Context;
import org.chagres.verbs.Device;
import org.chagres.verbs.DeviceAttributes;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.PortAttributes;
import org.chagres.verbs.VerbsException;

/**
 * What there is to know of a device.
 *
 * @param problem why it cannot be opened; empty if it can
 * @param attributes empty if it cannot be opened
 */
record DeviceReport(Device device, Optional<String> problem, Optional<DeviceAttributes> attributes, List<Port> ports) {

    /**
     * A port with its tables.
     *
     * @param preferred the row of the GID table that connections use unless told otherwise
     */
    record Port(PortAttributes attributes, List<GidEntry> gids, Optional<GidEntry> preferred, List<Integer> pkeys) {}

    static DeviceReport of(final Device device) {
        try (Context context = device.open()) {
            final DeviceAttributes attributes = context.attributes();
            final List<Port> ports = new ArrayList<>();
            IntStream.rangeClosed(1, attributes.ports()).forEach(port -> ports.add(port(context, port)));
            return new DeviceReport(device, Optional.empty(), Optional.of(attributes), ports);
        } catch (final VerbsException e) {
            return new DeviceReport(device, Optional.of(e.getMessage()), Optional.empty(), List.of());
        }
    }

    private static Port port(final Context context, final int port) {
        final List<GidEntry> gids = context.gids(port);
        return new Port(context.port(port), gids, GidEntry.preferred(gids), context.pkeys(port));
    }

    String firmware() {
        return attributes.map(DeviceAttributes::firmware).or(device::firmware).filter(f -> !f.isBlank()).orElse("-");
    }
}
