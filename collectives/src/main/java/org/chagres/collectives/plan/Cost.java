package org.chagres.collectives.plan;

/**
 * What an algorithm claims to cost, in units that a test can count in the plans. Everything but {@code hops} and {@code fillBytes} is that of
 * the rank that has most of it.
 *
 * @param hops messages that must follow one another until the first piece has arrived everywhere; those of further pieces overlap, unless an
 *        algorithm treats one segment after the other
 * @param messages signals and signalled puts that a rank sends
 * @param bytesSent bytes that a rank puts to its peers
 * @param fillBytes bytes that pass one after the other, beside {@code bytesSent}, while some ranks must wait for their first or after their
 *        last piece; 0 where all ranks send all the time. An estimate
 * @param bytesReduced bytes that a rank writes by reductions
 * @param roundings reductions that an element passes one after the other on its way into a result, each of which rounds to the data type; 0
 *        where nothing is combined
 * @param stagedBytes the longest put into a peer's scratch, from where the peer reads it again
 * @param bytesCopied bytes that a rank copies within itself, out of place
 * @param across how much of it goes from host to host; {@link Crossing#NONE} of an algorithm that does not look at hosts
 */
public record Cost(int hops, long messages, long bytesSent, long fillBytes, long bytesReduced, int roundings,
        long stagedBytes, long bytesCopied, Crossing across) {
    /** The cost of messages without data. */
    public static Cost of(final int hops, final long messages) {
        return new Cost(hops, messages, 0, 0, 0, 0, 0, 0, Crossing.NONE);
    }

    public Cost sending(final long bytes, final long fill) {
        return new Cost(hops, messages, bytes, fill, bytesReduced, roundings, stagedBytes, bytesCopied, across);
    }

    public Cost reducing(final long bytes, final int times) {
        return new Cost(hops, messages, bytesSent, fillBytes, bytes, times, stagedBytes, bytesCopied, across);
    }

    public Cost staging(final long bytes) {
        return new Cost(hops, messages, bytesSent, fillBytes, bytesReduced, roundings, bytes, bytesCopied, across);
    }

    public Cost copying(final long bytes) {
        return new Cost(hops, messages, bytesSent, fillBytes, bytesReduced, roundings, stagedBytes, bytes, across);
    }

    public Cost crossing(final Crossing part) {
        return new Cost(hops, messages, bytesSent, fillBytes, bytesReduced, roundings, stagedBytes, bytesCopied, part);
    }
}
