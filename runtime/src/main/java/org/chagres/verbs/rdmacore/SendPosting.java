package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import org.chagres.bindings.Errno;
import org.chagres.verbs.Destination;
import org.chagres.verbs.RemoteMemory;
import org.chagres.verbs.SendFlag;
import org.chagres.verbs.SendRequest;
import org.chagres.verbs.Slice;

/** Posts send requests that people made: lays them out, posts, and says which was refused. */
final class SendPosting {
    private SendPosting() {
    }

    /** Posts requests that {@link SendCheck} has let pass. */
    static void post(final SendRequest[] requests, final NativeQueuePair queuePair, final long queue) {
        int entries = 1;
        for (final SendRequest request : requests) {
            entries = Math.max(entries, request.slices().size());
        }
        try (Arena arena = Arena.ofConfined()) {
            final SendTable table = new SendTable(arena, requests.length, entries);
            for (int i = 0; i < requests.length; i++) {
                fill(table, i, requests[i]);
            }
            table.cut(requests.length - 1);
            final int errno = Slots.errno(queuePair.ops().postSend(queue, table.address(0), table.badAddress()));
            if (errno != 0) {
                final int posted = Slots.before(table.badSlot(), 0, requests.length);
                throw Failures.of(
                        "send request " + requests[posted].id() + ", the number " + (posted + 1) + " of "
                                + requests.length + " posted to "
                                + queuePair + ", was refused; those before it are posted",
                        "ibv_post_send", errno, hint(errno, queuePair));
            }
        }
    }

    private static void fill(final SendTable table, final int slot, final SendRequest request) {
        switch (request) {
            case final SendRequest.Send r -> {
                start(table, slot, SendTable.SEND, r);
                destination(table, slot, r.destination());
            }
            case final SendRequest.SendWithImmediate r -> {
                start(table, slot, SendTable.SEND_WITH_IMM, r);
                table.immediate(slot, r.immediate());
                destination(table, slot, r.destination());
            }
            case final SendRequest.Write r -> {
                start(table, slot, SendTable.RDMA_WRITE, r);
                remote(table, slot, r.remote());
            }
            case final SendRequest.WriteWithImmediate r -> {
                start(table, slot, SendTable.RDMA_WRITE_WITH_IMM, r);
                table.immediate(slot, r.immediate());
                remote(table, slot, r.remote());
            }
            case final SendRequest.Read r -> {
                start(table, slot, SendTable.RDMA_READ, r);
                remote(table, slot, r.remote());
            }
            case final SendRequest.FetchAndAdd r -> {
                start(table, slot, SendTable.FETCH_AND_ADD, r);
                table.atomic(slot, r.remote().address(), r.remote().key(), r.add(), 0);
            }
            case final SendRequest.CompareAndSwap r -> {
                start(table, slot, SendTable.COMPARE_AND_SWAP, r);
                table.atomic(slot, r.remote().address(), r.remote().key(), r.compare(), r.swap());
            }
        }
    }

    private static void start(final SendTable table, final int slot, final int opcode, final SendRequest request) {
        int flags = 0;
        for (final SendFlag flag : request.flags()) {
            flags |= flag.bit();
        }
        table.fillEmpty(slot, opcode, request.id(), flags);
        final List<Slice> slices = request.slices();
        for (int i = 0; i < slices.size(); i++) {
            final Slice slice = slices.get(i);
            table.entry(slot, i, slice.address(), slice.region().localKey(), (int) slice.length());
        }
    }

    private static void remote(final SendTable table, final int slot, final RemoteMemory remote) {
        table.remote(slot, remote.address(), remote.key());
    }

    private static void destination(final SendTable table, final int slot, final Optional<Destination> destination) {
        destination.ifPresent(to -> table.destination(slot,
                Family.member(to.address(), NativeAddressHandle.class, "address handle").address(),
                to.queuePairNumber(), to.qkey()));
    }

    private static String hint(final int errno, final NativeQueuePair queuePair) {
        return switch (errno) {
            case Errno.ENOMEM -> "The send queue is full: it holds " + queuePair.capacities().maxSendWr()
                    + " requests, which count until a completion of"
                    + " them or of a later one was polled; signal some, and poll.";
            case Errno.EINVAL -> "The queue pair is in a state in which it takes none, or the request does not fit it.";
            default -> "";
        };
    }
}
