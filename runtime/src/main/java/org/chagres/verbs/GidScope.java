package org.chagres.verbs;

/** How far an address reaches. */
public enum GidScope {
    /** No further than this host: loopback, or not set. */
    HOST,
    /** No further than the Ethernet segment or InfiniBand subnet. */
    LINK,
    /** Routed, within one organisation: private IPv4, unique local IPv6. */
    PRIVATE,
    /** Routed anywhere. */
    GLOBAL,
    /** A group. */
    MULTICAST
}
