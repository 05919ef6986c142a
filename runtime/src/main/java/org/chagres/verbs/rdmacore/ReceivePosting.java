package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.util.List;
import org.chagres.bindings.Errno;
import org.chagres.verbs.Access;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.Slice;

/** Posts receive requests that people made: checks, lays out, posts, and says which was refused. */
final class ReceivePosting {
    private ReceivePosting() {
    }

    /** Posts a linked list; returns errno, and leaves the first request not posted. */
    @FunctionalInterface
    interface Call {
        int post(long first, long bad);
    }

    static void post(final ReceiveRequest[] requests, final NativeProtectionDomain domain, final int maxEntries,
            final NativeObject queue,
            final Call call) {
        if (requests.length == 0) {
            return;
        }
        for (final ReceiveRequest request : requests) {
            Slices.check(request.scatter(), domain, maxEntries, Access.LOCAL_WRITE, "receive request " + request.id());
        }
        try (Arena arena = Arena.ofConfined()) {
            final ReceiveTable table = new ReceiveTable(arena, requests.length, Math.max(1, maxEntries));
            for (int i = 0; i < requests.length; i++) {
                fill(table, i, requests[i]);
            }
            table.cut(requests.length - 1);
            final int errno = Slots.errno(call.post(table.address(0), table.badAddress()));
            if (errno != 0) {
                final int posted = Slots.before(table.badSlot(), 0, requests.length);
                throw Failures.of(
                        "receive request " + requests[posted].id() + ", the number " + (posted + 1) + " of "
                                + requests.length
                                + " posted to " + queue + ", was refused; those before it are posted",
                        "ibv_post_recv", errno, hint(errno));
            }
        }
    }

    private static void fill(final ReceiveTable table, final int slot, final ReceiveRequest request) {
        table.fill(slot, request.id());
        final List<Slice> slices = request.scatter();
        for (int i = 0; i < slices.size(); i++) {
            final Slice slice = slices.get(i);
            table.entry(slot, i, slice.address(), slice.region().localKey(), (int) slice.length());
        }
    }

    private static String hint(final int errno) {
        return switch (errno) {
            case Errno.ENOMEM ->
                "The receive queue is full: post again when a completion of a receive request has come.";
            case Errno.EINVAL ->
                "The queue pair is in a state in which it takes none, or the request has too many entries.";
            default -> "";
        };
    }
}
