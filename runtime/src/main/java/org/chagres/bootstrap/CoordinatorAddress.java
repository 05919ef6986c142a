package org.chagres.bootstrap;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.chagres.bindings.Errno;
import org.chagres.bindings.ErrnoException;
import org.chagres.net.Acceptor;
import org.chagres.net.EventLoop;
import org.chagres.net.Strangers;

/** Where rank 0 listens: at the address that {@code MASTER_ADDR} names. */
record CoordinatorAddress(WorldInfo info) {
    /** Absent where the kernel was started without IPv6. */
    private static final Path IPV6 = Path.of("/proc/net/if_inet6");
    private static final Pattern LOOPBACK = Pattern
            .compile("(ip6-)?(localhost|loopback)[46]?(\\..*)?|127(\\.\\d+){1,3}|\\[?(0*:)+0*1\\]?",
                    Pattern.CASE_INSENSITIVE);

    /** Whether an address means this host and no other, as opposed to a host's name that /etc/hosts maps to a loopback address, as Debian does. */
    static boolean saysLoopback(final String address) {
        return LOOPBACK.matcher(address).matches();
    }

    /** All addresses of this host, of both families where it has both. */
    static InetAddress any() {
        try {
            return InetAddress.getByName(Files.exists(IPV6) ? "::" : "0.0.0.0");
        } catch (final UnknownHostException e) {
            throw new AssertionError("a literal address", e);
        }
    }

    /**
     * Listens there.
     *
     * @throws JoinException if that is not possible
     */
    Acceptor listen(final EventLoop loop, final Strangers strangers) {
        try {
            final InetAddress named = InetAddress.getByName(info.masterAddress());
            final InetAddress at = named.isLoopbackAddress() && !saysLoopback(info.masterAddress()) ? any() : named;
            return Acceptor.open(loop, new InetSocketAddress(at, info.masterPort()), info.size(), strangers);
        } catch (final UnknownHostException e) {
            throw new JoinException("MASTER_ADDR=" + info.masterAddress()
                    + " cannot be resolved: use the name or address of rank 0's host", e);
        } catch (final ErrnoException e) {
            throw new JoinException("rank 0 cannot listen at MASTER_ADDR:MASTER_PORT " + info.masterAddress() + ":"
                    + info.masterPort() + " (" + e.getMessage() + "): " + remedy(e.errno()), e);
        }
    }

    private static String remedy(final int errno) {
        return switch (errno) {
            case Errno.EADDRINUSE -> "choose a free port, and give every process its own RANK";
            case Errno.EADDRNOTAVAIL -> "choose an address of the host on which rank 0 runs";
            default -> "choose a free port and an address of this host";
        };
    }
}
