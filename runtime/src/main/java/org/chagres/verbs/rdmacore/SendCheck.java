package org.chagres.verbs.rdmacore;

import java.util.Optional;
import org.chagres.verbs.Access;
import org.chagres.verbs.Destination;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.RemoteMemory;
import org.chagres.verbs.SendFlag;
import org.chagres.verbs.SendRequest;

/** Whether a send request fits its queue pair: what no device would do is refused before it is posted. */
final class SendCheck {
    /** The longest message of any device (InfiniBand specification, C9-6). */
    private static final long MAX_MESSAGE = 1L << 31;

    private SendCheck() {
    }

    static void check(final SendRequest request, final NativeQueuePair queuePair) {
        final QueuePairType type = queuePair.type();
        final String what = request.getClass().getSimpleName() + " " + request.id();
        switch (request) {
            case final SendRequest.Send r -> destination(r.destination(), type, what);
            case final SendRequest.SendWithImmediate r -> destination(r.destination(), type, what);
            case SendRequest.Write _,SendRequest.WriteWithImmediate _ -> type(type != QueuePairType.UD, type, what);
            case SendRequest.Read _ -> type(type == QueuePairType.RC, type, what);
            case final SendRequest.FetchAndAdd r -> atomic(r, r.remote(), type, what);
            case final SendRequest.CompareAndSwap r -> atomic(r, r.remote(), type, what);
        }
        final boolean fetches = switch (request) {
            case SendRequest.Read _,SendRequest.FetchAndAdd _,SendRequest.CompareAndSwap _ -> true;
            default -> false;
        };
        final int maxEntries = queuePair.capacities().maxSendSge();
        Slices.check(request.slices(), queuePair.protectionDomain(), maxEntries, fetches ? Access.LOCAL_WRITE : null,
                what);
        size(request, queuePair, fetches, what);
    }

    private static void size(final SendRequest request, final NativeQueuePair queuePair, final boolean fetches,
            final String what) {
        final long bytes = Slices.bytes(request.slices());
        if (request.flags().contains(SendFlag.INLINE)) {
            final int most = queuePair.capacities().maxInlineData();
            if (fetches) {
                throw new IllegalArgumentException(what + " fetches, so nothing of it can be inline");
            }
            if (bytes > most) {
                throw new IllegalArgumentException(
                        what + " of " + bytes + " bytes cannot be inline: " + queuePair + " was made for " + most);
            }
        }
        final long most = queuePair.type() == QueuePairType.UD ? Mtu.MTU_4096.bytes() : MAX_MESSAGE;
        if (bytes > most) {
            throw new IllegalArgumentException(what + " has " + bytes + " bytes, but a message of type "
                    + queuePair.type() + " has at most " + most
                    + ": split it");
        }
    }

    private static void type(final boolean possible, final QueuePairType type, final String what) {
        if (!possible) {
            throw new IllegalArgumentException(what + " cannot be posted to a queue pair of type " + type
                    + ": UD only sends, UC also writes, RC does all");
        }
    }

    private static void destination(final Optional<Destination> destination, final QueuePairType type,
            final String what) {
        if (destination.isPresent() == type.isConnected()) {
            throw new IllegalArgumentException(what + (type.isConnected()
                    ? " has a destination, but its queue pair is connected to one peer"
                    : " has no destination, which a datagram needs"));
        }
    }

    private static void atomic(final SendRequest request, final RemoteMemory remote, final QueuePairType type,
            final String what) {
        type(type == QueuePairType.RC, type, what);
        if (request.slices().getFirst().length() != Long.BYTES) {
            throw new IllegalArgumentException(
                    what + " has a result of " + request.slices().getFirst().length() + " bytes: it must be 8");
        }
        if (remote.address() % Long.BYTES != 0) {
            throw new IllegalArgumentException(
                    what + " is at 0x" + Long.toHexString(remote.address()) + ", which is not a multiple of 8");
        }
    }
}
