package org.chagres.net;

import java.net.InetSocketAddress;

/** Decides who may connect to an {@link Acceptor}. Called by the loop's thread. */
public interface Admission {
    /** What a connection for {@code purpose} must know, or null if none may come here. */
    Credentials credentials(Claim.Purpose purpose);

    /** Why a claim of one who knows the secret is not admitted, or null if it is. A remedy for a person belongs into it. */
    String refusal(Claim claim);

    /**
     * A claim was admitted.
     *
     * @param fd a connected, non-blocking socket without Nagle's delay, which belongs to the callee from now on
     * @param remote its other end
     */
    void admitted(Claim claim, int fd, InetSocketAddress remote);
}
