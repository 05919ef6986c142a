package org.chagres.collectives.proof;

/**
 * What a successful proof found out beside the plans being right.
 *
 * @param synchronizing whether every rank's end implies every other rank's begin; at least what the plans claim
 * @param hops messages in the longest chain in which each was sent after the one before had come
 * @param roundings reductions in sequence behind an element of a result, at most
 */
public record Proof(boolean synchronizing, int hops, int roundings) {}
