package org.chagres.collectives.plan;

/**
 * The part of a {@link Cost} that goes from host to host; each number is that of the rank that has most of it.
 *
 * @param hops as {@link Cost#hops}
 * @param messages as {@link Cost#messages}
 * @param bytesSent as {@link Cost#bytesSent}
 * @param fillBytes as {@link Cost#fillBytes}
 */
public record Crossing(int hops, long messages, long bytesSent, long fillBytes) {
    /** Of an algorithm that does not tell hosts apart. */
    public static final Crossing NONE = new Crossing(0, 0, 0, 0);
}
