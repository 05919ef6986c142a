package org.chagres.bench.launch;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.chagres.bench.UsageException;

/**
 * One host of a job.
 *
 * @param login what ssh is given: the address, possibly after {@code user@}
 * @param slots how many ranks it takes, or 0 if not said
 * @param here whether this is the host that the tool runs on; then no ssh is needed
 */
record Host(String login, int slots, boolean here) {
    static final Host HERE = new Host("localhost", 0, true);
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");
    /** A name or IPv4 address, or an IPv6 address in brackets; then, after a colon, the slots. */
    private static final Pattern SYNTAX = Pattern
            .compile("(?<user>[\\w.-]+@)?(?<address>\\w[\\w.-]*|\\[[0-9a-fA-F:.%\\w]+])(:(?<slots>[1-9]\\d{0,5}))?");

    /** Parses {@code HOST[:SLOTS],...}. */
    static List<Host> list(final String text) {
        final List<Host> hosts = Arrays.stream(text.split(",", -1)).map(Host::parse).toList();
        final Set<String> seen = new HashSet<>();
        for (final Host host : hosts) {
            if (!seen.add(host.address())) {
                throw new UsageException("--hosts " + text + " names " + host.address()
                        + " twice: give it once, with slots, as in " + host.address() + ":2");
            }
        }
        return hosts;
    }

    private static Host parse(final String text) {
        final Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            throw new UsageException("--hosts: '" + text
                    + "' is no host: use [user@]name[:slots], and brackets around an IPv6 address, separated by commas");
        }
        final String user = matcher.group("user") == null ? "" : matcher.group("user");
        final String address = matcher.group("address").replaceAll("[\\[\\]]", "");
        final String slots = matcher.group("slots");
        return new Host(user + address, slots == null ? 0 : Integer.parseInt(slots), isHere(address));
    }

    /** Name or address without the user. */
    String address() {
        return login.substring(login.indexOf('@') + 1);
    }

    /** Whether the address means another host to everyone else. */
    boolean isLoopback() {
        return LOOPBACK.contains(address());
    }

    private static boolean isHere(final String address) {
        return LOOPBACK.contains(address) || isOwnName(address) || isOwnAddress(address);
    }

    private static boolean isOwnName(final String name) {
        try {
            final String own = InetAddress.getLocalHost().getHostName();
            return name.equals(own) || name.equals(own.replaceFirst("\\..*", ""));
        } catch (final UnknownHostException e) {
            return false;
        }
    }

    /** Literal addresses only: no name is looked up. */
    private static boolean isOwnAddress(final String address) {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .anyMatch(own -> own.getHostAddress().replaceFirst("%.*", "").equals(address));
        } catch (final SocketException e) {
            return false;
        }
    }
}
