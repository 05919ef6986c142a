package org.chagres.collectives.exec;

import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Step;
import org.chagres.memory.Memory;
import org.chagres.transport.Link;

/**
 * One execution of a program over a lane: the executor. {@link #advance} does whatever can be done without waiting and returns, so that one thread can
 * drive many runs. Reusable; used by one thread at a time; allocates only when it meets a larger program than before.
 */
public final class Run {
    private static final int BOTH_RAW = 3;

    private Program program;
    private Lane lane;
    private long send;
    private long recv;
    private long recvToken;
    private long recvOffset;
    private long sequence;
    private long base;
    private long fingerprint;
    private boolean granted;
    /** Whether all ranks must be seen to do the same before this one is done, which the plan's signals do not show. */
    private boolean rollCall;
    /** How many ranks have answered, in their order. */
    private int answered;
    private int[] next = new int[1];
    /** How many elements of a reduction that is put piece by piece are done, by channel. */
    private long[] partial = new long[1];
    private long[] operands = new long[2];

    /**
     * Begins an operation. The buffers must stay valid, and the input unchanged, until the run is done.
     *
     * @param send the address of the input; any where the shape reads none
     * @param recv the address of the output; any where the shape writes none
     * @param recvToken the token of the region that holds the output, 0 if peers need not address it
     * @param recvOffset where in that region the output starts, in bytes
     */
    public void start(final Program program, final Lane lane, final long send, final long recv, final long recvToken,
            final long recvOffset) {
        this.program = program;
        this.lane = lane;
        this.send = send;
        this.recv = recv;
        this.recvToken = recvToken;
        this.recvOffset = recvOffset;
        this.sequence = ++lane.sequence;
        this.base = sequence << Lane.SEQUENCE_SHIFT;
        this.fingerprint = Fingerprint.after(lane.history, program.fingerprint);
        this.granted = false;
        this.rollCall = lane.rollCalls && !program.plan.synchronizing();
        this.answered = 0;
        final int channels = program.steps.length;
        if (next.length != channels) {
            next = new int[channels];
            partial = new long[channels];
        }
        for (int c = 0; c < channels; c++) {
            next[c] = 0;
            partial[c] = 0;
        }
        if (operands.length < program.mostOperands) {
            operands = new long[program.mostOperands];
        }
    }

    /** Goes on as far as possible; returns whether the operation is done. */
    public boolean advance() {
        if (program.exchange) {
            return exchange();
        }
        if (!granted && !begin()) {
            return false;
        }
        boolean done = true;
        for (int c = 0; c < next.length; c++) {
            done &= advance(c);
        }
        if (!done || !flushed() || rollCall && !allAnswered()) {
            return false;
        }
        lane.complete(sequence, rollCall || program.plan.synchronizing(), program.fingerprint);
        return true;
    }

    /** The steps of {@link Program#exchange} without the interpreter, which would cost as much as the handover of a cache line. */
    private boolean exchange() {
        final int peer = 1 - lane.rank;
        final Link link = lane.links[peer];
        final long count = program.shape.count();
        if (!granted) {
            if (!begin()) {
                return false;
            }
            link.deliver(sequence, send, count * program.elementSize, fingerprint);
            next[0] = 1;
        }
        // The output may lie where the input does.
        if (!link.delivered(sequence) || !link.flushed()) {
            return false;
        }
        verify(link);
        final long theirs = link.deliveredAddress(sequence);
        if (lane.rank == 0) {
            program.reduction.reduce2(recv, send, theirs, BOTH_RAW, true, 2, count);
        } else {
            program.reduction.reduce2(recv, theirs, send, BOTH_RAW, true, 2, count);
        }
        lane.complete(sequence, true, program.fingerprint);
        return true;
    }

    /**
     * Waits for the generation to be free at every peer that this rank writes to, then tells them what is to come. A roll call tells all peers, but
     * for those that learn it from the inbox message that they get anyway.
     */
    private boolean begin() {
        for (final int peer : written()) {
            if (lane.known[peer] < sequence - Link.GENERATIONS) {
                lane.known[peer] = lane.links[peer].completed();
                if (lane.known[peer] < sequence - Link.GENERATIONS) {
                    return false;
                }
            }
            if (!lane.links[peer].writable()) {
                return false;
            }
        }
        if (!program.inbox) {
            announce(written());
        } else if (rollCall) {
            announce(program.silent);
        }
        granted = true;
        return true;
    }

    private int[] written() {
        return rollCall ? program.others : program.targets;
    }

    private void announce(final int[] peers) {
        for (final int peer : peers) {
            lane.links[peer].announce(sequence, fingerprint, recvToken, recvOffset);
        }
    }

    /** Whether every other rank has begun this operation too; remembers who has, so that each is asked only until it has. */
    private boolean allAnswered() {
        final int[] others = program.others;
        while (answered < others.length) {
            final int peer = others[answered];
            if (lane.verified[peer] != sequence) {
                final Link link = lane.links[peer];
                final long theirs = Lane.seen(link, sequence);
                if (theirs == 0) {
                    return false;
                }
                if (theirs != fingerprint) {
                    throw mismatch(link.peer(), theirs);
                }
                lane.verified[peer] = sequence;
            }
            answered++;
        }
        return true;
    }

    private boolean advance(final int channel) {
        final Step[] list = program.steps[channel];
        int i = next[channel];
        while (i < list.length) {
            final Step step = list[i];
            if (step instanceof final Step.Wait wait) {
                if (!arrived(channel, wait)) {
                    break;
                }
                i++;
            } else {
                final int steps = mustFlush(channel, i) ? 0 : act(channel, i, step);
                if (steps == 0) {
                    break;
                }
                i += steps;
            }
        }
        next[channel] = i;
        return i == list.length;
    }

    /** Carries out a step that need not wait for a signal; returns how many steps that covered, 0 if a link takes no more for now. */
    private int act(final int channel, final int index, final Step step) {
        switch (step) {
            case Step.Put put -> {
                if (!lane.links[put.peer()].writable()) {
                    return 0;
                }
                put(channel, index, put);
            }
            case Step.Reduce reduce -> {
                return reduce(channel, index, reduce);
            }
            case Step.Copy copy -> copy(copy);
            case Step.Signal signal -> {
                if (!lane.links[signal.peer()].writable()) {
                    return 0;
                }
                signal(channel, index, signal.peer());
            }
            case Step.Wait _ -> throw new IllegalStateException("a wait is not an action");
        }
        return 1;
    }

    private boolean arrived(final int channel, final Step.Wait wait) {
        final int peer = wait.peer();
        final Link link = lane.links[peer];
        if (program.inbox ? !link.delivered(sequence) : link.raised(sequence, channel) < base + wait.ordinal()) {
            return false;
        }
        if (lane.verified[peer] != sequence) {
            verify(link);
            lane.verified[peer] = sequence;
            lane.known[peer] = Math.max(lane.known[peer], sequence - 1);
        }
        return true;
    }

    /** The first signal of an operation comes after its announcement: both sides must mean the same. */
    private void verify(final Link link) {
        final long theirs = program.inbox ? link.deliveredFingerprint(sequence) : link.announcedFingerprint(sequence);
        if (theirs != fingerprint) {
            throw mismatch(link.peer(), theirs);
        }
    }

    private CollectiveMismatch mismatch(final int peer, final long theirs) {
        return new CollectiveMismatch(peer, sequence, fingerprint, theirs, false);
    }

    private void put(final int channel, final int index, final Step.Put put) {
        final Link link = lane.links[put.peer()];
        final long from = address(put.from());
        final long bytes = put.count() * program.elementSize;
        if (program.inbox) {
            link.deliver(sequence, from, bytes, fingerprint);
            return;
        }
        place(link, put.to(), 0, from, bytes);
        if (put.signal()) {
            link.signal(sequence, channel, base + program.ordinals[channel][index]);
        }
    }

    /** Writes {@code bytes} into the peer's buffer, {@code skip} bytes behind {@code to}. */
    private void place(final Link link, final Ref to, final long skip, final long from, final long bytes) {
        final long offset = to.offset() * program.elementSize + skip;
        switch (to.space()) {
            case RECV -> link.put(from, link.announcedToken(sequence), link.announcedOffset(sequence) + offset, bytes);
            case SCRATCH -> link.put(from, link.scratchToken(), link.scratchOffset(sequence) + offset, bytes);
            case SEND -> throw new IllegalStateException("a plan must not write a peer's input");
        }
    }

    private void signal(final int channel, final int index, final int peer) {
        if (program.inbox) {
            lane.links[peer].deliver(sequence, 0, 0, fingerprint);
        } else {
            lane.links[peer].signal(sequence, channel, base + program.ordinals[channel][index]);
        }
    }

    private void copy(final Step.Copy copy) {
        final long from = address(copy.from());
        final long to = address(copy.to());
        if (from != to) {
            Memory.copy(to, from, copy.count() * program.elementSize);
        }
    }

    private int reduce(final int channel, final int index, final Step.Reduce reduce) {
        final int puts = program.fused[channel][index];
        final int n = reduce.operands().size();
        int raw = 0;
        for (int i = 0; i < n; i++) {
            final Step.Operand operand = reduce.operands().get(i);
            operands[i] = address(operand.at());
            raw |= operand.raw() ? 1 << i : 0;
        }
        final long to = address(reduce.to());
        if (puts == 0) {
            combine(to, n, raw, reduce.finish(), reduce.count());
            return 1;
        }
        return reduceAndPut(channel, index, reduce, n, raw, to, puts);
    }

    /** Piece by piece, so that the result is put while it is in the cache. */
    private int reduceAndPut(final int channel, final int index, final Step.Reduce reduce, final int n, final int raw,
            final long to, final int puts) {
        final Step[] steps = program.steps[channel];
        final long piece = pieceBytes(steps, index, puts) / program.elementSize;
        long done = partial[channel];
        for (int i = 0; i < n; i++) {
            operands[i] += done * program.elementSize;
        }
        while (done < reduce.count()) {
            if (!writable(steps, index, puts)) {
                partial[channel] = done;
                return 0;
            }
            final long count = Math.min(piece, reduce.count() - done);
            final long skip = done * program.elementSize;
            combine(to + skip, n, raw, reduce.finish(), count);
            for (int i = 0; i < n; i++) {
                operands[i] += piece * program.elementSize;
            }
            for (int p = 1; p <= puts; p++) {
                final Step.Put put = (Step.Put) steps[index + p];
                place(lane.links[put.peer()], put.to(), skip, to + skip, count * program.elementSize);
            }
            done += count;
        }
        partial[channel] = 0;
        for (int p = 1; p <= puts; p++) {
            final Step.Put put = (Step.Put) steps[index + p];
            if (put.signal()) {
                signal(channel, index + p, put.peer());
            }
        }
        return 1 + puts;
    }

    /** Whether a step must wait until what was put has been read: it would overwrite it, or let a peer do so. */
    private boolean mustFlush(final int channel, final int index) {
        return program.flushBefore != null && program.flushBefore[channel][index] && partial[channel] == 0
                && !flushed();
    }

    private long pieceBytes(final Step[] steps, final int index, final int puts) {
        long bytes = Long.MAX_VALUE;
        for (int p = 1; p <= puts; p++) {
            bytes = Math.min(bytes, lane.links[((Step.Put) steps[index + p]).peer()].pieceBytes());
        }
        return bytes;
    }

    private boolean writable(final Step[] steps, final int index, final int puts) {
        for (int p = 1; p <= puts; p++) {
            if (!lane.links[((Step.Put) steps[index + p]).peer()].writable()) {
                return false;
            }
        }
        return true;
    }

    /** Whether all that was put has been read, so that it may be overwritten, and all that was announced is on its way. */
    private boolean flushed() {
        for (final int peer : written()) {
            if (!lane.links[peer].flushed()) {
                return false;
            }
        }
        return true;
    }

    private void combine(final long to, final int n, final int raw, final boolean finish, final long count) {
        if (n == 2) {
            program.reduction.reduce2(to, operands[0], operands[1], raw, finish, program.shape.size(), count);
        } else {
            program.reduction.reduce(to, operands, n, raw, finish, program.shape.size(), count);
        }
    }

    private long address(final Ref ref) {
        final long offset = ref.offset() * program.elementSize;
        return switch (ref.space()) {
            case SEND -> send + offset;
            case RECV -> recv + offset;
            case SCRATCH -> program.inbox ? slot(ref.offset()) : lane.scratch(sequence) + offset;
        };
    }

    /** An inbox plan's scratch is one slot of {@code count} elements a rank. */
    private long slot(final long offset) {
        final long count = Math.max(1, program.shape.count());
        return lane.links[(int) (offset / count)].deliveredAddress(sequence);
    }

    /**
     * Whether peers disagree with this rank about the operation, as far as can be seen; for the slow path of a wait.
     *
     * @throws CollectiveMismatch if one does
     */
    public void checkForMismatch() {
        for (int c = 0; c < next.length && granted; c++) {
            if (next[c] < program.steps[c].length && program.steps[c][next[c]] instanceof final Step.Wait wait) {
                checkForRankAhead(c, wait);
            }
        }
        for (int p = 0; p < lane.links.length; p++) {
            final Link link = lane.links[p];
            if (link == null) {
                continue;
            }
            // Shows the peer what this rank means even if the plan would not: where all wait to be written to, nobody would learn of it.
            if (lane.shown[p] != sequence && link.completed() >= sequence - Link.GENERATIONS && link.writable()) {
                link.announce(sequence, fingerprint, recvToken, recvOffset);
                lane.shown[p] = sequence;
            }
            if (link.announcedSequence(sequence) == sequence
                    && link.announcedFingerprint(sequence) != fingerprint) {
                throw mismatch(link.peer(), link.announcedFingerprint(sequence));
            }
            final long delivered = link.deliveredFingerprint(sequence);
            if (delivered != 0 && delivered != fingerprint) {
                throw mismatch(link.peer(), delivered);
            }
        }
    }

    /** A peer that has begun the next operation has done all it means to do in this one: what has not come by then never will. */
    private void checkForRankAhead(final int channel, final Step.Wait wait) {
        final Link link = lane.links[wait.peer()];
        final long theirs = Lane.seen(link, sequence + 1);
        if (theirs != 0 && !arrived(channel, wait)) {
            throw new CollectiveMismatch(link.peer(), sequence, fingerprint, theirs, true);
        }
    }

    /** The number of the operation on its lane. */
    public long sequence() {
        return sequence;
    }

    /** What the operation is, as ranks compare it. */
    public long fingerprint() {
        return fingerprint;
    }

    /** A number that changes whenever a step is done. */
    public long position() {
        long position = granted ? 1 : 0;
        for (int c = 0; c < next.length; c++) {
            position += next[c] + partial[c];
        }
        return position;
    }

    /** Whether this run cannot go on before rank {@code rank} of the communicator does something that it has not done yet. */
    public boolean waitsFor(final int rank) {
        for (int c = 0; c < next.length && granted; c++) {
            if (next[c] < program.steps[c].length && program.steps[c][next[c]] instanceof final Step.Wait wait
                    && lane.links[wait.peer()].peer() == rank && !arrived(c, wait)) {
                return true;
            }
        }
        for (final int peer : written()) {
            final Link link = lane.links[peer];
            if (link.peer() == rank && (granted ? misses(peer) : link.completed() < sequence - Link.GENERATIONS)) {
                return true;
            }
        }
        return false;
    }

    /** Whether all steps are done and {@code peer} is one of those that have not answered the roll call. */
    private boolean misses(final int peer) {
        if (!rollCall || lane.verified[peer] == sequence || Lane.seen(lane.links[peer], sequence) != 0) {
            return false;
        }
        for (int c = 0; c < next.length; c++) {
            if (next[c] < program.steps[c].length) {
                return false;
            }
        }
        return true;
    }

    /** For error messages: what this run is, and which peers and steps it waits for. */
    public String describe() {
        final StringBuilder text = new StringBuilder(160);
        text.append(program.shape.collective().label())
                .append(" number ")
                .append(sequence)
                .append(" (count ")
                .append(program.shape.count())
                .append(", ")
                .append(program.plan.algorithm())
                .append(')');
        if (!granted) {
            text.append(", before its first step: it needs the operation ")
                    .append(Link.GENERATIONS)
                    .append(" earlier to be finished");
            for (final int peer : written()) {
                final Link link = lane.links[peer];
                if (link.completed() < sequence - Link.GENERATIONS) {
                    text.append(", for rank ").append(link.peer());
                }
            }
        }
        for (int c = 0; c < next.length && granted; c++) {
            if (next[c] < program.steps[c].length) {
                final Step step = program.steps[c][next[c]];
                text.append(", channel ").append(c).append(" at step ").append(next[c]).append(": ").append(step);
                if (step instanceof final Step.Wait wait) {
                    text.append(", for rank ").append(lane.links[wait.peer()].peer());
                }
            }
        }
        for (int i = 0; granted && i < program.others.length; i++) {
            if (misses(program.others[i])) {
                text.append(", done but for rank ")
                        .append(lane.links[program.others[i]].peer())
                        .append(", which has not begun it");
            }
        }
        return text.toString();
    }
}
