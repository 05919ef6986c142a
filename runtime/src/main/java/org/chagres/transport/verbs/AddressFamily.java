package org.chagres.transport.verbs;

import org.chagres.verbs.Gid;

/** The family of the address that a GID stands for, by the names of {@code NCCL_IB_ADDR_FAMILY}. */
public enum AddressFamily {
    IPV4("AF_INET", "IPv4"), IPV6("AF_INET6", "IPv6");

    private final String word;
    private final String text;

    AddressFamily(final String word, final String text) {
        this.word = word;
        this.text = text;
    }

    /** The family of a GID. */
    public static AddressFamily of(final Gid gid) {
        return gid.isIpv4Mapped() ? IPV4 : IPV6;
    }

    /** As the variable has it. */
    public String word() {
        return word;
    }

    /** For people. */
    public String text() {
        return text;
    }
}
