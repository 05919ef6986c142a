package org.chagres.transport.verbs;

import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which ports may be used, in the syntax of {@code NCCL_IB_HCA}: a list of prefixes of device names, each with {@code :port} or without for all ports;
 * {@code =} before the list demands whole names, {@code ^} before that excludes instead.
 *
 * @param text the setting, for messages; empty if there is none
 * @param excludes whether the list says what not to use
 * @param whole whether names are whole, or prefixes
 * @param items the list; empty accepts every port
 */
public record DeviceFilter(String text, boolean excludes, boolean whole, List<Item> items) {
    /** Every port. */
    public static final DeviceFilter ALL = new DeviceFilter("", false, false, List.of());
    private static final String SYNTAX = "the setting is a list of prefixes such as mlx5,bnxt_re0:1, of whole names such as =mlx5_0:1,mlx5_1,"
            + " or of those to exclude such as ^mlx5_4 or ^=mlx5_4";

    /** Keeps the list as it is. */
    public DeviceFilter {
        items = List.copyOf(items);
    }

    /**
     * An entry of the list.
     *
     * @param name a device, or the prefix of some
     * @param port empty for all
     */
    public record Item(String name, OptionalInt port) {
        boolean means(final PortName one, final boolean whole) {
            return meansDevice(one.device(), whole) && (port.isEmpty() || port.getAsInt() == one.port());
        }

        boolean meansDevice(final String device, final boolean whole) {
            return whole ? device.equals(name) : device.startsWith(name);
        }

        /** The form {@code mlx5_0:1}. */
        @Override
        public String toString() {
            return name + (port.isPresent() ? ":" + port.getAsInt() : "");
        }
    }

    static DeviceFilter parse(final Asked<String> setting) {
        final boolean excludes = setting.value().startsWith("^");
        final String rest = setting.value().substring(excludes ? 1 : 0);
        final boolean whole = rest.startsWith("=");
        final List<Item> items = Stream.of(rest.substring(whole ? 1 : 0).split(",", -1))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .map(item -> item(setting, item))
                .toList();
        if (items.isEmpty()) {
            throw new IllegalArgumentException(setting.text() + " names no device: " + SYNTAX);
        }
        return new DeviceFilter(setting.text(), excludes, whole, items);
    }

    private static Item item(final Asked<String> setting, final String text) {
        final int colon = text.indexOf(':');
        if (colon < 0) {
            return new Item(text, OptionalInt.empty());
        }
        try {
            final PortName port = PortName.parse(text);
            return new Item(port.device(), OptionalInt.of(port.port()));
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException(setting.text() + ": " + e.getMessage() + "; " + SYNTAX, e);
        }
    }

    /** Whether a port may be used. */
    public boolean accepts(final PortName port) {
        return items.isEmpty() || excludes != items.stream().anyMatch(item -> item.means(port, whole));
    }

    /** Whether some port of a device may be used. */
    boolean mayAccept(final String device) {
        return items.isEmpty() || excludes != items.stream()
                .anyMatch(item -> item.meansDevice(device, whole) && (!excludes || item.port().isEmpty()));
    }

    /**
     * Checks that each entry means something here, so that a misspelt name is not silently another choice.
     *
     * @param present all ports of this host
     * @return what a person may want to know: names that are excluded but not there
     * @throws IllegalArgumentException if an entry that is to be used means no port: the message lists those that exist
     */
    public List<String> check(final Collection<PortName> present) {
        final String idle = items.stream()
                .filter(item -> present.stream().noneMatch(port -> item.means(port, whole)))
                .map(Item::toString)
                .collect(Collectors.joining(", "));
        if (idle.isEmpty()) {
            return List.of();
        }
        final String exist = present.isEmpty()
                ? "this host has no RDMA device"
                : "this host has " + present.stream().map(PortName::toString).collect(Collectors.joining(", "));
        if (excludes) {
            return List.of(text + " excludes " + idle + ", which is not there: " + exist);
        }
        throw new IllegalArgumentException(text + ": no port matches " + idle + ": " + exist + "; " + SYNTAX);
    }
}
