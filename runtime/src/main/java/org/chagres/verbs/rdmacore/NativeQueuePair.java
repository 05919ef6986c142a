package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.chagres.bindings.ContextOps;
import org.chagres.bindings.VerbsQueues;
import org.chagres.bindings.verbs.ibv_qp_attr;
import org.chagres.bindings.verbs.ibv_qp_init_attr;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.PreparedReceives;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairAttribute;
import org.chagres.verbs.QueuePairAttributes;
import org.chagres.verbs.QueuePairCapacities;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.QueuePairState;
import org.chagres.verbs.QueuePairTransitions;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.SendRequest;
import org.chagres.verbs.SharedReceiveQueue;

/** An {@code ibv_qp}. */
final class NativeQueuePair extends NativeObject implements QueuePair {
    private static final Set<QueuePairState> TAKES_NO_SENDS = EnumSet.of(QueuePairState.RESET, QueuePairState.INIT,
            QueuePairState.RTR);
    /** Only transitions of one's own lead out of the others. */
    private static final Set<QueuePairState> DEVICE_MAY_LEAVE = EnumSet.of(QueuePairState.RTR, QueuePairState.RTS,
            QueuePairState.SQD,
            QueuePairState.SQE);
    private static final int ALL_ATTRIBUTES = allAttributes();

    private final NativeProtectionDomain domain;
    private final QueuePairOptions options;
    private final Identity identity;
    /** Moves the queue pair from state to state, if it is not null. */
    private final NativeCmId connection;
    private final ContextOps ops;
    private volatile QueuePairState state = QueuePairState.RESET;

    /** What the device gave: the address of the {@code ibv_qp}, its number, its capacities. */
    record Identity(long address, int number, QueuePairCapacities capacities) {}

    NativeQueuePair(final NativeProtectionDomain domain, final QueuePairOptions options, final Identity identity,
            final NativeCmId connection,
            final NativeObject... owners) {
        super(owners);
        this.domain = domain;
        this.options = options;
        this.identity = identity;
        this.connection = connection;
        this.ops = domain.context().ops();
        adopted();
        domain.context().eventSource(identity.address(), this);
    }

    private static int allAttributes() {
        int mask = 0;
        for (final QueuePairAttribute attribute : QueuePairAttribute.values()) {
            mask |= attribute.bit();
        }
        return mask;
    }

    @Override
    public NativeProtectionDomain protectionDomain() {
        return domain;
    }

    @Override
    public int number() {
        return identity.number();
    }

    @Override
    public QueuePairType type() {
        return options.type();
    }

    @Override
    public CompletionQueue sendQueue() {
        return options.sendQueue();
    }

    @Override
    public CompletionQueue receiveQueue() {
        return options.receiveQueue();
    }

    @Override
    public Optional<SharedReceiveQueue> sharedReceiveQueue() {
        return options.sharedReceiveQueue();
    }

    @Override
    public QueuePairCapacities capacities() {
        return identity.capacities();
    }

    @Override
    public QueuePairState state() {
        checkOpen();
        if (connection != null && state != QueuePairState.RTS) {
            query();
        }
        return state;
    }

    @Override
    public QueuePairAttributes query() {
        return locked(this::queryNow);
    }

    private QueuePairAttributes queryNow() {
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment attributes = call.allocate(ibv_qp_attr.layout());
            final MemorySegment init = call.allocate(ibv_qp_init_attr.layout());
            Failures.check(
                    VerbsQueues.queryQp(identity.address(), attributes.address(), ALL_ATTRIBUTES, init.address()),
                    "the attributes of " + this,
                    "ibv_query_qp");
            final QueuePairAttributes now = QueuePairLayout.read(attributes, type());
            state = now.state();
            return now;
        }
    }

    @Override
    public void modify(final QueuePairAttributes attributes) {
        locked(() -> {
            modifyNow(attributes);
            return null;
        });
    }

    private void modifyNow(final QueuePairAttributes attributes) {
        if (connection != null || DEVICE_MAY_LEAVE.contains(state)) {
            queryNow();
        }
        final QueuePairState from = state;
        final QueuePairState to = QueuePairTransitions.check(type(), from, attributes);
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment fields = call.allocate(ibv_qp_attr.layout());
            QueuePairLayout.write(fields, attributes);
            final int errno = VerbsQueues.modifyQp(identity.address(), fields.address(), attributes.mask());
            if (errno != 0) {
                throw Failures.of(this + " cannot go from " + from + " to " + to + " with " + attributes,
                        "ibv_modify_qp", errno,
                        TransitionAdvice.of(to, attributes, errno, domain.context()));
            }
        }
        state = to;
    }

    @Override
    public void post(final SendRequest... requests) {
        if (type().isConnected()) {
            postNow(requests);
            return;
        }
        // Address handles must not be closed meanwhile.
        locked(() -> {
            postNow(requests);
            return null;
        });
    }

    private void postNow(final SendRequest... requests) {
        for (final SendRequest request : requests) {
            SendCheck.check(request, this);
        }
        final QueuePairState now = state();
        if (TAKES_NO_SENDS.contains(now)) {
            throw new IllegalStateException(
                    this + " takes no sends in state " + now + ": connect it first, which brings it to RTS");
        }
        synchronized (this) {
            checkOpen();
            if (requests.length > 0) {
                SendPosting.post(requests, this, identity.address());
            }
        }
    }

    @Override
    public void postReceive(final ReceiveRequest... requests) {
        if (options.sharedReceiveQueue().isPresent()) {
            throw new IllegalStateException(
                    this + " takes receive requests from " + options.sharedReceiveQueue().get() + ": post them there");
        }
        if (state() == QueuePairState.RESET) {
            throw new IllegalStateException(this + " takes no receives in state RESET: bring it to INIT first");
        }
        synchronized (this) {
            checkOpen();
            ReceivePosting.post(requests, domain, capacities().maxRecvSge(), this,
                    (first, bad) -> ops.postRecv(identity.address(), first, bad));
        }
    }

    @Override
    public PreparedSends prepareSends(final int slots, final int gatherEntries) {
        // A setter fills one entry, so there is room for one at least.
        final int entries = Math.max(1, gatherEntries);
        Slots.check(this, slots, entries, Math.max(1, capacities().maxSendSge()));
        return locked(() -> new NativePreparedSends(this, ops, identity.address(), slots, entries));
    }

    @Override
    public PreparedReceives prepareReceives(final int slots, final int scatterEntries) {
        if (options.sharedReceiveQueue().isPresent()) {
            throw new IllegalStateException(this + " takes receive requests from " + options.sharedReceiveQueue().get()
                    + ": prepare them there");
        }
        Slots.check(this, slots, scatterEntries, capacities().maxRecvSge());
        return locked(() -> new NativePreparedReceives(this, ops, identity.address(), false, slots, scatterEntries));
    }

    ContextOps ops() {
        return ops;
    }

    @Override
    void destroy() {
        if (connection != null) {
            connection.destroyQueuePair();
        } else {
            Failures.check(VerbsQueues.destroyQp(identity.address()), this + " cannot be closed", "ibv_destroy_qp");
        }
        domain.context().noEventSource(identity.address());
    }

    @Override
    public String toString() {
        return "queue pair 0x" + Integer.toHexString(number()) + " (" + type() + ") of "
                + domain.context().device().name();
    }
}
