package org.chagres.verbs;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The connection manager's socket ({@code rdma_cm_id}). Owned by an event channel; owns its queue pair.
 *
 * <p>Nothing here waits: each step's end comes as an event on the channel. To connect: {@link #resolveAddress}, ADDR_RESOLVED, {@link #resolveRoute},
 * ROUTE_RESOLVED, {@link #createQueuePair}, {@link #connect}, ESTABLISHED. To be connected to: {@link #bind}, {@link #listen}, CONNECT_REQUEST with a new
 * identifier, on that {@link #createQueuePair} and {@link #accept}, ESTABLISHED. The queue pair changes its states by itself.
 */
public interface CmId extends VerbsObject {
    /** The channel that it belongs to. */
    CmEventChannel channel();

    /** The port space. */
    PortSpace portSpace();

    /**
     * Binds it to a local address; a port of 0 takes a free one.
     *
     * @throws VerbsException if the port is taken, or no RDMA device has the address
     */
    void bind(InetSocketAddress address);

    /**
     * Finds the device and port on the way to {@code destination}; ends with ADDR_RESOLVED or ADDR_ERROR.
     *
     * @param timeout at most 2^31 ms
     */
    void resolveAddress(InetSocketAddress destination, Duration timeout);

    /** Finds the route; ends with ROUTE_RESOLVED or ROUTE_ERROR. */
    void resolveRoute(Duration timeout);

    /**
     * Listens for peers; each comes with a CONNECT_REQUEST.
     *
     * @param backlog requests that may wait
     */
    void listen(int backlog);

    /**
     * The device that the address lies on; made from it are the protection domain and the completion queues for {@link #createQueuePair}. Shared by all
     * identifiers of the channel on that device, and closed with the channel.
     *
     * @throws IllegalStateException if no address is resolved or bound to a device yet
     */
    Context context();

    /** The port of the device; 0 if there is none yet. */
    int devicePort();

    /**
     * Makes the queue pair of the connection, in the state INIT, so that receives can be posted.
     *
     * @param domain of {@link #context}
     */
    QueuePair createQueuePair(ProtectionDomain domain, QueuePairOptions options);

    /** Connects; ends with ESTABLISHED, REJECTED, UNREACHABLE or CONNECT_ERROR. */
    void connect(CmParameters parameters);

    /** Accepts the request that came with this identifier; ends with ESTABLISHED, or DISCONNECTED or an error. */
    void accept(CmParameters parameters);

    /**
     * Refuses the request that came with this identifier, which is then to be closed.
     *
     * @param privateData for the peer, at most {@value CmParameters#MAX_REJECT_DATA} bytes
     */
    void reject(byte[] privateData);

    /**
     * Ends the connection, and flushes what is posted. The peer gets DISCONNECTED and calls this too, upon which this end gets DISCONNECTED; without
     * its answer only after the protocol's retries.
     */
    void disconnect();

    /** The local address; with port 0 if not bound. */
    InetSocketAddress localAddress();

    /**
     * The peer's address.
     *
     * @throws IllegalStateException if there is none yet
     */
    InetSocketAddress remoteAddress();

    /**
     * Sets IP's type of service for the connection, before resolving.
     *
     * @param value 0 to 255
     */
    void typeOfService(int value);

    /** Whether {@link #bind} may take a port that another identifier had just before; before binding. */
    void reuseAddress(boolean reuse);
}
