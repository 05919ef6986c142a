package org.chagres.transport.verbs;

/**
 * A network device of this network namespace.
 *
 * @param name such as {@code eth0}
 * @param up whether it is switched on
 * @param mtu bytes of its largest IP packet
 */
public record NetworkDevice(String name, boolean up, int mtu) {}
