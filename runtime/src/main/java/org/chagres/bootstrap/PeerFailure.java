package org.chagres.bootstrap;

/**
 * A rank is gone.
 *
 * @param rank the rank that failed
 * @param reason what was seen, for a person
 */
public record PeerFailure(int rank, String reason) {}
