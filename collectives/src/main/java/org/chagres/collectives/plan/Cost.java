package org.chagres.collectives.plan;

/**
 * What an algorithm claims to cost, in units that a test can count in the plans. Everything but {@code hops} and {@code fillBytes} is that of
 * the rank that has most of it.
 *
 * @param hops messages that must follow one another until the first piece has arrived everywhere; those of further pieces overlap
 * @param bytesSent bytes that a rank puts to its peers
 * @param bytesReduced bytes that a rank writes by reductions
 * @param bytesCopied bytes that a rank copies within itself, out of place
 * @param fillBytes bytes that pass one after the other, beside {@code bytesSent}, until a pipeline is full; 0 where all ranks send from the
 *        start. An estimate
 * @param messages signals and signalled puts that a rank sends
 * @param roundings reductions that an element passes one after the other on its way into a result, each of which rounds to the data type; 0
 *        where nothing is combined
 */
public record Cost(int hops, long bytesSent, long bytesReduced, long bytesCopied, long fillBytes, long messages,
        int roundings) {}
