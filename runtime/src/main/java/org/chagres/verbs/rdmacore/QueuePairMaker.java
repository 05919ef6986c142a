package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.chagres.bindings.CallState;
import org.chagres.bindings.Errno;
import org.chagres.bindings.VerbsQueues;
import org.chagres.bindings.verbs.ibv_qp;
import org.chagres.bindings.verbs.ibv_qp_init_attr;
import org.chagres.verbs.DeviceAttributes;
import org.chagres.verbs.QueuePairCapacities;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.VerbsException;

/** Makes queue pairs: of a protection domain, or for a connection of librdmacm. */
final class QueuePairMaker {
    private QueuePairMaker() {
    }

    static NativeQueuePair create(final NativeProtectionDomain domain, final QueuePairOptions options) {
        return create(domain, options, null, init -> {
            final long queuePair = VerbsQueues.createQp(domain.address(), init.address());
            if (queuePair == 0) {
                throw failure("ibv_create_qp", CallState.errno(), domain, options);
            }
            return queuePair;
        });
    }

    /**
     * Makes a queue pair by any call.
     *
     * @param connection whose it is, or null
     * @param call takes an {@code ibv_qp_init_attr}, gives an {@code ibv_qp}
     */
    static NativeQueuePair create(final NativeProtectionDomain domain, final QueuePairOptions options,
            final NativeCmId connection,
            final ToLongFunction<MemorySegment> call) {
        final NativeCompletionQueue sendQueue = queue(options.sendQueue(), domain);
        final NativeCompletionQueue receiveQueue = queue(options.receiveQueue(), domain);
        final NativeSharedReceiveQueue shared = options.sharedReceiveQueue().map(s -> shared(s, domain)).orElse(null);
        check(options.capacities(), domain.context());
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment init = arena.allocate(ibv_qp_init_attr.layout());
            ibv_qp_init_attr.send_cq(init, MemorySegment.ofAddress(sendQueue.address()));
            ibv_qp_init_attr.recv_cq(init, MemorySegment.ofAddress(receiveQueue.address()));
            ibv_qp_init_attr.srq(init, MemorySegment.ofAddress(shared == null ? 0 : shared.address()));
            ibv_qp_init_attr.qp_type(init, options.type().code());
            ibv_qp_init_attr.sq_sig_all(init, options.signalAll() ? 1 : 0);
            QueuePairLayout.write(ibv_qp_init_attr.cap(init), options.capacities());
            final long queuePair = call.applyAsLong(init);
            final int number = ibv_qp.qp_num(MemorySegment.ofAddress(queuePair).reinterpret(ibv_qp.sizeof()));
            final QueuePairCapacities granted = QueuePairLayout.readCapacities(ibv_qp_init_attr.cap(init));
            final List<NativeObject> owners = new ArrayList<>(List.of(domain, sendQueue, receiveQueue));
            if (shared != null) {
                owners.add(shared);
            }
            if (connection != null) {
                owners.add(connection);
            }
            return new NativeQueuePair(domain, options, new NativeQueuePair.Identity(queuePair, number, granted),
                    connection,
                    owners.toArray(NativeObject[]::new));
        }
    }

    private static NativeCompletionQueue queue(final org.chagres.verbs.CompletionQueue queue,
            final NativeProtectionDomain domain) {
        final NativeCompletionQueue mine = Family.member(queue, NativeCompletionQueue.class, "completion queue");
        Family.same(mine, mine.context(), domain.context());
        return mine;
    }

    private static NativeSharedReceiveQueue shared(final org.chagres.verbs.SharedReceiveQueue queue,
            final NativeProtectionDomain domain) {
        final NativeSharedReceiveQueue mine = Family.member(queue, NativeSharedReceiveQueue.class,
                "shared receive queue");
        if (mine.protectionDomain() != domain) {
            throw new IllegalArgumentException(mine + " belongs to another protection domain than " + domain);
        }
        return mine;
    }

    private static void check(final QueuePairCapacities wanted, final NativeContext context) {
        final DeviceAttributes device = context.attributes();
        if (Math.max(wanted.maxSendWr(), wanted.maxRecvWr()) > device.maxQpWr()
                || Math.max(wanted.maxSendSge(), wanted.maxRecvSge()) > device.maxSge()) {
            throw new IllegalArgumentException(
                    "a queue pair with " + wanted + ": " + context.device().name() + " has at most " + device.maxQpWr()
                            + " requests a queue and " + device.maxSge() + " entries a request");
        }
    }

    /** Why a queue pair could not be made. */
    static VerbsException failure(final String call, final int errno, final NativeProtectionDomain domain,
            final QueuePairOptions options) {
        final DeviceAttributes device = domain.context().attributes();
        final String hint = errno != Errno.EINVAL
                ? ""
                : "Most likely more is asked for than the device has at once: its limits are " + device.maxQpWr()
                        + " requests, " + device.maxSge()
                        + " entries, and a number of inline bytes that it does not tell (ask for fewer); or it does not know the type.";
        return Failures.of("a queue pair of type " + options.type() + " with " + options.capacities() + " in " + domain,
                call, errno, hint);
    }
}
