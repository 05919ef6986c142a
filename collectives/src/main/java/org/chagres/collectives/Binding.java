package org.chagres.collectives;

import java.lang.foreign.MemorySegment;
import org.chagres.collectives.plan.Shape;
import org.chagres.memory.MemoryDomain;
import org.chagres.memory.Region;

/**
 * Where an operation's input and output really lie: in the caller's own memory if that is registered, else in staging. Checks all that the caller may
 * get wrong about memory. Reusable; allocates nothing for registered memory.
 */
final class Binding {
    /** Stands for every thread but the caller's; never started. */
    private static final Thread ANY_THREAD = new Thread();

    private final MemoryDomain domain;
    private final Staging sendStaging;
    private final Staging recvStaging;
    private Region sendRegion;
    private Region recvRegion;
    private MemorySegment output;
    private long outputBytes;
    long send;
    long recv;
    long token;
    long offset;

    Binding(final MemoryDomain domain, final StagingPool pool) {
        this.domain = domain;
        this.sendStaging = new Staging(pool);
        this.recvStaging = new Staging(pool);
    }

    /**
     * @param send the input; null where this rank reads none
     * @param recv the output; null where this rank writes none
     * @throws IllegalArgumentException if a buffer is missing, too short, read-only, or the two overlap in a way that is not in place
     * @throws IllegalStateException if a buffer's memory is closed
     */
    void bind(final Prepared p, final MemorySegment send, final MemorySegment recv) {
        check(p, send, p.sendBytes(), "send");
        check(p, recv, p.recvBytes(), "recv");
        output = null;
        if (p.recvBytes() > 0) {
            if (recv.isReadOnly()) {
                throw new IllegalArgumentException("the recv buffer of " + p.shape().collective().label()
                        + " is read-only: give one that can be written");
            }
            bindRecv(recv, p.recvBytes());
        }
        if (p.sendBytes() > 0) {
            final boolean overlap = p.recvBytes() > 0 && overlap(p, send, recv);
            bindSend(send, p.sendBytes(), overlap && p.inPlaceBytes() == Shape.NOT_IN_PLACE);
        }
    }

    private void bindSend(final MemorySegment segment, final long bytes, final boolean copy) {
        sendRegion = copy ? null : registered(segment, bytes, sendRegion);
        send = sendRegion != null ? segment.address() : sendStaging.copyOf(segment, bytes).address();
    }

    private void bindRecv(final MemorySegment segment, final long bytes) {
        recvRegion = registered(segment, bytes, recvRegion);
        if (recvRegion == null) {
            output = segment;
            outputBytes = bytes;
            final Region staged = recvStaging.atLeast(bytes);
            recv = staged.address();
            token = staged.token();
            offset = 0;
        } else {
            recv = segment.address();
            token = recvRegion.token();
            offset = recv - recvRegion.address();
        }
    }

    private Region registered(final MemorySegment segment, final long bytes, final Region hint) {
        if (!segment.isNative()) {
            return null;
        }
        final long address = segment.address();
        if (hint != null && !hint.isClosed() && hint.address() <= address
                && address + bytes <= hint.address() + hint.length()) {
            return hint;
        }
        final Region found = domain.find(address, bytes);
        return found == null || found.isClosed() ? null : found;
    }

    private static void check(final Prepared p, final MemorySegment segment, final long bytes, final String which) {
        if (segment == null) {
            if (bytes > 0) {
                throw new IllegalArgumentException(p.shape().collective().label() + " needs a " + which + " buffer of "
                        + bytes + " bytes on this rank, got none");
            }
            return;
        }
        if (segment.byteSize() < bytes) {
            throw new IllegalArgumentException("count " + p.shape().count() + " exceeds the " + which + " buffer of "
                    + p.shape().collective().label()
                    + ": it has " + segment.byteSize() + " bytes, the operation needs " + bytes + " ("
                    + p.shape().size() + " ranks, " + p.type().size()
                    + " bytes an element)");
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException(
                    "the " + which + " buffer of " + p.shape().collective().label() + " is closed: its memory is gone");
        }
    }

    /** Whether the two overlap exactly as in place; any other overlap is refused. */
    private static boolean overlap(final Prepared p, final MemorySegment send, final MemorySegment recv) {
        if (!send.isNative() || !recv.isNative()) {
            return heapOverlap(p, send, recv);
        }
        final long apart = send.address() - recv.address();
        if (apart >= p.recvBytes() || -apart >= p.sendBytes()) {
            return false;
        }
        if (apart == p.inPlaceBytes() || p.inPlaceBytes() == Shape.NOT_IN_PLACE && apart == 0) {
            return true;
        }
        throw refused(p, apart);
    }

    private static boolean heapOverlap(final Prepared p, final MemorySegment send, final MemorySegment recv) {
        if (send.isNative() != recv.isNative()
                || send.asSlice(0, p.sendBytes()).asOverlappingSlice(recv.asSlice(0, p.recvBytes())).isEmpty()) {
            return false;
        }
        final long apart = send.address() - recv.address();
        if (apart == p.inPlaceBytes() || p.inPlaceBytes() == Shape.NOT_IN_PLACE && apart == 0) {
            return true;
        }
        throw refused(p, apart);
    }

    private static IllegalArgumentException refused(final Prepared p, final long apart) {
        final String legal = p.inPlaceBytes() == Shape.NOT_IN_PLACE
                ? "equal"
                : "exactly " + p.inPlaceBytes() + " bytes apart (in place)";
        return new IllegalArgumentException("the send buffer of " + p.shape().collective().label() + " starts " + apart
                + " bytes from its recv buffer and overlaps it: they must not overlap, or be " + legal);
    }

    /** Brings the result to the caller's memory if it was staged. */
    void deliver() {
        if (output != null) {
            MemorySegment.copy(recvStaging.atLeast(outputBytes).segment(), 0, output, 0, outputBytes);
            output = null;
        }
    }

    /**
     * Checks that a thread other than the caller's may bring the result to the caller's memory.
     *
     * @throws IllegalArgumentException if that memory belongs to the caller's thread
     */
    void requireShared(final Prepared p) {
        if (output != null && !output.isAccessibleBy(ANY_THREAD)) {
            output = null;
            throw new IllegalArgumentException("the recv buffer of " + p.shape().collective().label()
                    + " belongs to one thread, but " + Settings.PROGRESS
                    + "=thread completes operations from another: allocate it from a shared arena");
        }
    }

    boolean uses(final Region region) {
        return region == sendRegion || region == recvRegion;
    }

    /** Gives back the staging memory. */
    void release() {
        sendStaging.close();
        recvStaging.close();
    }
}
