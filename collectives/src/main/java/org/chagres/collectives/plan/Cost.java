package org.chagres.collectives.plan;

/**
 * The claimed cost of an algorithm along its critical path, in units that a test can count in the plans.
 *
 * @param hops messages that must follow one another
 * @param bytesSent the most bytes that any one rank puts to its peers
 * @param bytesReduced the most bytes that any one rank writes by reductions
 * @param messages the most signals and signalled puts that any one rank sends
 */
public record Cost(int hops, long bytesSent, long bytesReduced, long messages) {}
