package org.chagres.verbs;

import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How a connected queue pair reaches its peer. Start with {@link #defaults} and change what is needed; each change is a new value. The same options on
 * both ends fit together.
 */
public final class ConnectionOptions {
    /** {@link #gidIndex}: take the row that {@link GidEntry#preferred} names; none on InfiniBand within a subnet. */
    public static final int AUTOMATIC = -1;
    private static final ConnectionOptions DEFAULTS = new ConnectionOptions();

    private int port = 1;
    private int gidIndex = AUTOMATIC;
    private int pkeyIndex;
    private Optional<Mtu> mtu = Optional.empty();
    private int serviceLevel;
    private int trafficClass;
    private int hopLimit = AddressVector.DEFAULT_HOP_LIMIT;
    private int timeout = 14;
    private int retryCount = 7;
    private int rnrRetry = 7;
    private int minRnrTimer = 12;
    private int maxRdAtomic = AUTOMATIC;
    private Set<Access> access = Access.ALL;

    private ConnectionOptions() {
    }

    private ConnectionOptions(final ConnectionOptions other) {
        this.port = other.port;
        this.gidIndex = other.gidIndex;
        this.pkeyIndex = other.pkeyIndex;
        this.mtu = other.mtu;
        this.serviceLevel = other.serviceLevel;
        this.trafficClass = other.trafficClass;
        this.hopLimit = other.hopLimit;
        this.timeout = other.timeout;
        this.retryCount = other.retryCount;
        this.rnrRetry = other.rnrRetry;
        this.minRnrTimer = other.minRnrTimer;
        this.maxRdAtomic = other.maxRdAtomic;
        this.access = other.access;
    }

    /** Port 1, the preferred GID, the smaller MTU of both ends, 7 repeats after 67 ms each, all access. */
    public static ConnectionOptions defaults() {
        return DEFAULTS;
    }

    /** The local port. */
    public int port() {
        return port;
    }

    public ConnectionOptions port(final int value) {
        return with(o -> o.port = Range.check("port", value, 1, 255));
    }

    /** The row of the local GID table to send from, or {@link #AUTOMATIC}. */
    public int gidIndex() {
        return gidIndex;
    }

    public ConnectionOptions gidIndex(final int value) {
        return with(o -> o.gidIndex = Range.check("gidIndex", value, AUTOMATIC, 255));
    }

    /** The row of the local partition key table. */
    public int pkeyIndex() {
        return pkeyIndex;
    }

    public ConnectionOptions pkeyIndex(final int value) {
        return with(o -> o.pkeyIndex = Range.check("pkeyIndex", value, 0, 0xffff));
    }

    /** The path's MTU; empty is the smaller of both ends' active ones. */
    public Optional<Mtu> mtu() {
        return mtu;
    }

    public ConnectionOptions mtu(final Mtu value) {
        return with(o -> o.mtu = Optional.of(value));
    }

    /** The service level, 0 to 15. */
    public int serviceLevel() {
        return serviceLevel;
    }

    public ConnectionOptions serviceLevel(final int value) {
        return with(o -> o.serviceLevel = Range.check("serviceLevel", value, 0, 15));
    }

    /** The traffic class, IP's type of service, 0 to 255. */
    public int trafficClass() {
        return trafficClass;
    }

    public ConnectionOptions trafficClass(final int value) {
        return with(o -> o.trafficClass = Range.check("trafficClass", value, 0, 255));
    }

    /** Routers that a packet may pass. */
    public int hopLimit() {
        return hopLimit;
    }

    public ConnectionOptions hopLimit(final int value) {
        return with(o -> o.hopLimit = Range.check("hopLimit", value, 1, 255));
    }

    /** How long an acknowledgement may take: 4.096 us * 2^value; 0 is for ever. */
    public int timeout() {
        return timeout;
    }

    public ConnectionOptions timeout(final int value) {
        return with(o -> o.timeout = Range.check("timeout", value, 0, 31));
    }

    /** Repeats when no acknowledgement comes, 0 to 7. */
    public int retryCount() {
        return retryCount;
    }

    public ConnectionOptions retryCount(final int value) {
        return with(o -> o.retryCount = Range.check("retryCount", value, 0, 7));
    }

    /** Repeats when the peer has no receive request, 0 to 6; 7 is for ever. */
    public int rnrRetry() {
        return rnrRetry;
    }

    public ConnectionOptions rnrRetry(final int value) {
        return with(o -> o.rnrRetry = Range.check("rnrRetry", value, 0, 7));
    }

    /** How long the peer shall wait when there is no receive request here, a code: 12 is 0.64 ms. */
    public int minRnrTimer() {
        return minRnrTimer;
    }

    public ConnectionOptions minRnrTimer(final int value) {
        return with(o -> o.minRnrTimer = Range.check("minRnrTimer", value, 0, 31));
    }

    /** RDMA reads and atomics in flight at a time, each way; {@link #AUTOMATIC} is the device's limit, but at most 16. */
    public int maxRdAtomic() {
        return maxRdAtomic;
    }

    public ConnectionOptions maxRdAtomic(final int value) {
        return with(o -> o.maxRdAtomic = Range.check("maxRdAtomic", value, AUTOMATIC, 255));
    }

    /** What the peer may do through the queue pair. */
    public Set<Access> access() {
        return access;
    }

    public ConnectionOptions access(final Set<Access> value) {
        return with(o -> o.access = Set.copyOf(value));
    }

    private ConnectionOptions with(final Consumer<ConnectionOptions> change) {
        final ConnectionOptions copy = new ConnectionOptions(this);
        change.accept(copy);
        return copy;
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof final ConnectionOptions that && toString().equals(that.toString());
    }

    @Override
    public int hashCode() {
        return Objects.hash(port, gidIndex, mtu, timeout);
    }

    @Override
    public String toString() {
        return "port " + port + ", GID index " + (gidIndex == AUTOMATIC ? "automatic" : gidIndex) + ", pkey index "
                + pkeyIndex + ", MTU "
                + mtu.map(m -> String.valueOf(m.bytes())).orElse("automatic") + ", service level " + serviceLevel
                + ", traffic class "
                + trafficClass + ", hop limit " + hopLimit + ", timeout " + timeout + ", retry count " + retryCount
                + ", RNR retry " + rnrRetry
                + ", RNR timer " + minRnrTimer + ", reads in flight "
                + (maxRdAtomic == AUTOMATIC ? "automatic" : maxRdAtomic) + ", access "
                + Access.bits(access);
    }
}
