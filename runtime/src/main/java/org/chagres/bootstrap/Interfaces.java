package org.chagres.bootstrap;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which of this host's addresses peers shall use: the one that routes to the coordinator, unless {@code CHAGRES_SOCKET_IFNAME} or
 * {@code NCCL_SOCKET_IFNAME} says otherwise, in NCCL's syntax: a list of prefixes of interface names; {@code =} before it demands whole names, {@code ^}
 * before that excludes instead.
 *
 * @param name such as {@code eth0}
 */
record Interfaces(String name, List<InetAddress> addresses) {
    private static final List<String> VARIABLES = List.of("CHAGRES_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME");

    /** Which names a setting means. */
    record Filter(boolean excludes, boolean whole, List<String> names) {
        static Filter parse(final String setting) {
            final boolean excludes = setting.startsWith("^");
            final String rest = setting.substring(excludes ? 1 : 0);
            final boolean whole = rest.startsWith("=");
            final List<String> names = Stream.of(rest.substring(whole ? 1 : 0).split(",", -1))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .toList();
            return new Filter(excludes, whole, names);
        }

        boolean accepts(final String name) {
            return excludes == (position(name) == names.size());
        }

        /** Of the first entry that means {@code name}; their number if none does. */
        int position(final String name) {
            return IntStream.range(0, names.size())
                    .filter(i -> whole ? name.equals(names.get(i)) : name.startsWith(names.get(i)))
                    .findFirst()
                    .orElse(names.size());
        }
    }

    /**
     * The address to listen at.
     *
     * @param routed the one that routes to the coordinator; all zeros if unknown
     * @throws IllegalArgumentException if the environment asks for an interface that this host does not have
     */
    static InetAddress choose(final Map<String, String> environment, final InetAddress routed) {
        for (final String variable : VARIABLES) {
            final String setting = environment.get(variable);
            if (setting != null && !setting.isBlank()) {
                return choose(variable, setting.strip(), routed, present());
            }
        }
        return routed;
    }

    static InetAddress choose(final String variable, final String setting, final InetAddress routed,
            final List<Interfaces> present) {
        final Filter filter = Filter.parse(setting);
        if (filter.names().isEmpty()) {
            throw new IllegalArgumentException(variable + "=" + setting + " names no interface: " + syntax(present));
        }
        final List<Interfaces> accepted = present.stream()
                .filter(one -> filter.accepts(one.name()) && !one.addresses().isEmpty())
                .sorted(Comparator.comparingInt(one -> filter.position(one.name())))
                .toList();
        if (accepted.isEmpty()) {
            throw new IllegalArgumentException(
                    variable + "=" + setting + " matches no interface with an address: " + syntax(present));
        }
        if (accepted.stream().anyMatch(one -> one.addresses().contains(routed))) {
            return routed;
        }
        // The sort is stable: among equals, the interface that the setting names first, then the kernel's order.
        return accepted.stream()
                .flatMap(one -> one.addresses().stream())
                .min(Comparator.comparingInt(address -> unfitness(address, routed, filter)))
                .orElseThrow();
    }

    /** Excluding some does not ask for the loopback interface, of all that remain; naming it does. */
    private static int unfitness(final InetAddress address, final InetAddress routed, final Filter filter) {
        final int loopback = filter.excludes() && address.isLoopbackAddress() ? 4 : 0;
        final int linkLocal = address.isLinkLocalAddress() ? 2 : 0;
        final boolean six = address.getAddress().length == 16;
        final boolean wanted = six == (routed.getAddress().length == 16 && !routed.isAnyLocalAddress());
        return loopback + linkLocal + (wanted ? 0 : 1);
    }

    private static String syntax(final List<Interfaces> present) {
        return "this host has " + present.stream().map(Interfaces::describe).collect(Collectors.joining(", "))
                + "; the setting is a list of prefixes such as eth,ib, of whole names such as =eth0,eth1, or of those to"
                + " exclude such as ^docker,lo";
    }

    private String describe() {
        return name + addresses.stream()
                .map(InetAddress::getHostAddress)
                .collect(Collectors.joining(", ", " (", ")"));
    }

    private static List<Interfaces> present() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(Interfaces::isUp)
                    .map(one -> new Interfaces(one.getName(), Collections.list(one.getInetAddresses())))
                    .toList();
        } catch (final SocketException e) {
            throw new IllegalStateException("cannot list this host's interfaces: " + e.getMessage(), e);
        }
    }

    private static boolean isUp(final NetworkInterface one) {
        try {
            return one.isUp();
        } catch (final SocketException e) {
            return false;
        }
    }
}
