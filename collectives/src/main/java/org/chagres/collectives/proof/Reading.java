package org.chagres.collectives.proof;

/**
 * A link's reading of the source of a put, at any time from the put on until it is known to be over: to the peer, and whoever hears of it, by the
 * arrival of the signal that publishes the put; to the rank itself by a flush.
 *
 * @param channel of the put
 * @param peer to which the data goes
 * @param ordinal of the signal that publishes it
 * @param time of the putting strand at the put
 */
record Reading(int channel, int peer, int ordinal, long time) {}
