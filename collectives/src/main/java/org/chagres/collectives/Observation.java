package org.chagres.collectives;

import org.chagres.collectives.exec.Run;
import org.chagres.collectives.record.CollectiveEvent;
import org.chagres.transport.Transport;

/** Times one operation for Java Flight Recorder, at the price of looking at the clock around every step. Used under the communicator's lock. */
final class Observation {
    private final CollectiveEvent event = new CollectiveEvent();
    private final long begin = System.nanoTime();
    private long transfer;

    /**
     * Begins to watch an operation.
     *
     * @param transports as {@link Communicator#transports} says
     */
    Observation(final Prepared prepared, final Run run, final long communicator, final int rank,
            final String transports) {
        event.collective = prepared.shape().collective().label();
        event.communicator = communicator;
        event.rank = rank;
        event.size = prepared.shape().size();
        event.sequence = run.sequence();
        event.bytes = prepared.shape().bytes();
        event.type = prepared.type().label();
        event.op = prepared.op() == null ? "" : prepared.op().kind().label();
        event.root = prepared.shape().collective().rooted() ? prepared.shape().root() : -1;
        event.algorithm = prepared.program().plan().algorithm();
        event.transport = transports;
        event.begin();
    }

    /** {@link Run#advance}, after letting the links move. What changes nothing counts as waiting. */
    boolean advance(final Run run, final Transport transport) {
        final long from = System.nanoTime();
        final long before = run.position();
        final boolean moved = transport != null && transport.poll();
        final boolean done = run.advance();
        if (done || moved || run.position() != before) {
            transfer += System.nanoTime() - from;
        }
        return done;
    }

    /** The operation is over. */
    void end() {
        event.end();
        event.transfer = transfer;
        event.wait = Math.max(0, System.nanoTime() - begin - transfer);
        event.commit();
    }
}
