package org.chagres.verbs;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * Attributes of a queue pair ({@code ibv_qp_attr}): those that are set, and no others. For {@link QueuePair#modify}, start with {@link #to}; each
 * setter returns a new value. {@link QueuePair#query} returns all that the device tells.
 *
 * <p>A getter throws {@link IllegalStateException} if its attribute is not set.
 */
public final class QueuePairAttributes {
    private static final QueuePairAttributes NONE = new QueuePairAttributes(new EnumMap<>(QueuePairAttribute.class));

    private final EnumMap<QueuePairAttribute, Object> values;

    private QueuePairAttributes(final EnumMap<QueuePairAttribute, Object> values) {
        this.values = values;
    }

    /** A transition to {@code state}. */
    public static QueuePairAttributes to(final QueuePairState state) {
        return NONE.with(QueuePairAttribute.STATE, state);
    }

    /** Nothing yet: to change attributes within a state. */
    public static QueuePairAttributes none() {
        return NONE;
    }

    /** What is set. */
    public Set<QueuePairAttribute> names() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /** Whether {@code attribute} is set. */
    public boolean has(final QueuePairAttribute attribute) {
        return values.containsKey(attribute);
    }

    /** The bits of {@code ibv_qp_attr_mask} for what is set. */
    public int mask() {
        int mask = 0;
        for (final QueuePairAttribute attribute : values.keySet()) {
            mask |= attribute.bit();
        }
        return mask;
    }

    /** Without {@code attribute}. */
    public QueuePairAttributes without(final QueuePairAttribute attribute) {
        final EnumMap<QueuePairAttribute, Object> rest = new EnumMap<>(values);
        rest.remove(attribute);
        return new QueuePairAttributes(rest);
    }

    /** The state to go to, or the current one. */
    public QueuePairState state() {
        return (QueuePairState) get(QueuePairAttribute.STATE);
    }

    public QueuePairAttributes state(final QueuePairState state) {
        return with(QueuePairAttribute.STATE, state);
    }

    /** Whether an event tells that the send queue has drained. */
    public boolean sqdNotify() {
        return (boolean) get(QueuePairAttribute.EN_SQD_ASYNC_NOTIFY);
    }

    public QueuePairAttributes sqdNotify(final boolean notify) {
        return with(QueuePairAttribute.EN_SQD_ASYNC_NOTIFY, notify);
    }

    /** What the peer may do through this queue pair. */
    @SuppressWarnings("unchecked") // only the setter below puts it there
    public Set<Access> accessFlags() {
        return (Set<Access>) get(QueuePairAttribute.ACCESS_FLAGS);
    }

    public QueuePairAttributes accessFlags(final Set<Access> access) {
        return with(QueuePairAttribute.ACCESS_FLAGS, Set.copyOf(access));
    }

    /** The row of the partition key table. */
    public int pkeyIndex() {
        return number(QueuePairAttribute.PKEY_INDEX);
    }

    public QueuePairAttributes pkeyIndex(final int index) {
        return with(QueuePairAttribute.PKEY_INDEX, index, 0, 0xffff);
    }

    /** The port, from 1 on. */
    public int port() {
        return number(QueuePairAttribute.PORT);
    }

    public QueuePairAttributes port(final int port) {
        return with(QueuePairAttribute.PORT, port, 1, 255);
    }

    /** What datagrams must carry to be received; 32 bits, of which the highest is reserved for the privileged. */
    public int qkey() {
        return number(QueuePairAttribute.QKEY);
    }

    public QueuePairAttributes qkey(final int qkey) {
        return with(QueuePairAttribute.QKEY, qkey);
    }

    /** The way to the peer. */
    public AddressVector addressVector() {
        return (AddressVector) get(QueuePairAttribute.AV);
    }

    public QueuePairAttributes addressVector(final AddressVector address) {
        return with(QueuePairAttribute.AV, address);
    }

    /** The largest payload of a packet; both ends must have the same. */
    public Mtu pathMtu() {
        return (Mtu) get(QueuePairAttribute.PATH_MTU);
    }

    public QueuePairAttributes pathMtu(final Mtu mtu) {
        return with(QueuePairAttribute.PATH_MTU, mtu);
    }

    /** How long an acknowledgement may take before the request is repeated: 4.096 us * 2^value; 0 waits for ever. */
    public int timeout() {
        return number(QueuePairAttribute.TIMEOUT);
    }

    public QueuePairAttributes timeout(final int exponent) {
        return with(QueuePairAttribute.TIMEOUT, exponent, 0, 31);
    }

    /** How often a request is repeated when no acknowledgement comes. */
    public int retryCount() {
        return number(QueuePairAttribute.RETRY_CNT);
    }

    public QueuePairAttributes retryCount(final int count) {
        return with(QueuePairAttribute.RETRY_CNT, count, 0, 7);
    }

    /** How often a request is repeated when the peer has no receive request; 7 is for ever. */
    public int rnrRetry() {
        return number(QueuePairAttribute.RNR_RETRY);
    }

    public QueuePairAttributes rnrRetry(final int count) {
        return with(QueuePairAttribute.RNR_RETRY, count, 0, 7);
    }

    /** The number of the first packet that the peer sends, 24 bits. */
    public int rqPsn() {
        return number(QueuePairAttribute.RQ_PSN);
    }

    public QueuePairAttributes rqPsn(final int psn) {
        return with(QueuePairAttribute.RQ_PSN, psn, 0, Range.MAX_24);
    }

    /** The number of the first packet to send, 24 bits. */
    public int sqPsn() {
        return number(QueuePairAttribute.SQ_PSN);
    }

    public QueuePairAttributes sqPsn(final int psn) {
        return with(QueuePairAttribute.SQ_PSN, psn, 0, Range.MAX_24);
    }

    /** Own RDMA reads and atomics in flight at a time; at most the peer's {@link #maxDestRdAtomic}. */
    public int maxRdAtomic() {
        return number(QueuePairAttribute.MAX_QP_RD_ATOMIC);
    }

    public QueuePairAttributes maxRdAtomic(final int count) {
        return with(QueuePairAttribute.MAX_QP_RD_ATOMIC, count, 0, 255);
    }

    /** The peer's RDMA reads and atomics served at a time. */
    public int maxDestRdAtomic() {
        return number(QueuePairAttribute.MAX_DEST_RD_ATOMIC);
    }

    public QueuePairAttributes maxDestRdAtomic(final int count) {
        return with(QueuePairAttribute.MAX_DEST_RD_ATOMIC, count, 0, 255);
    }

    /** How long the peer shall wait when there is no receive request here: a code of the InfiniBand specification, 12 is 0.64 ms. */
    public int minRnrTimer() {
        return number(QueuePairAttribute.MIN_RNR_TIMER);
    }

    public QueuePairAttributes minRnrTimer(final int code) {
        return with(QueuePairAttribute.MIN_RNR_TIMER, code, 0, 31);
    }

    /** The peer's queue pair number, 24 bits. */
    public int destQpn() {
        return number(QueuePairAttribute.DEST_QPN);
    }

    public QueuePairAttributes destQpn(final int number) {
        return with(QueuePairAttribute.DEST_QPN, number, 0, Range.MAX_24);
    }

    private QueuePairAttributes with(final QueuePairAttribute attribute, final int value, final int min,
            final int max) {
        return with(attribute, Range.check(attribute.name(), value, min, max));
    }

    private QueuePairAttributes with(final QueuePairAttribute attribute, final Object value) {
        final EnumMap<QueuePairAttribute, Object> more = new EnumMap<>(values);
        more.put(attribute, java.util.Objects.requireNonNull(value, attribute.name()));
        return new QueuePairAttributes(more);
    }

    private int number(final QueuePairAttribute attribute) {
        return (int) get(attribute);
    }

    private Object get(final QueuePairAttribute attribute) {
        final Object value = values.get(attribute);
        if (value == null) {
            throw new IllegalStateException("the attribute " + attribute + " is not set: only " + names() + " are");
        }
        return value;
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof final QueuePairAttributes that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return ((Map<QueuePairAttribute, Object>) values).toString();
    }
}
