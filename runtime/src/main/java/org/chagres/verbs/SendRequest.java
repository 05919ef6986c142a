package org.chagres.verbs;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A request to a send queue. {@code id} comes back with the completion. The factories make {@link SendFlag#SIGNALED} requests of one slice; {@link #with}
 * changes the flags. Immediate values are in host byte order.
 *
 * <p>The memory must stay registered and, unless {@link SendFlag#INLINE}, unchanged until the request has completed.
 */
public sealed interface SendRequest {
    /** The flags of requests from the factories. */
    Set<SendFlag> DEFAULT_FLAGS = Set.of(SendFlag.SIGNALED);

    /** Comes back with the completion. */
    long id();

    /** The local memory: what is sent or written, or where the result goes. */
    List<Slice> slices();

    /** How it is treated. */
    Set<SendFlag> flags();

    /** The same request with exactly these flags; none makes it unsignalled. */
    SendRequest with(SendFlag... flags);

    /** Sends to the peer's next receive request. */
    static SendRequest send(final long id, final Slice slice) {
        return new Send(id, List.of(slice), Optional.empty(), DEFAULT_FLAGS);
    }

    /** Sends a datagram. */
    static SendRequest send(final long id, final Slice slice, final Destination to) {
        return new Send(id, List.of(slice), Optional.of(to), DEFAULT_FLAGS);
    }

    /** Sends with an immediate value. */
    static SendRequest sendWithImmediate(final long id, final Slice slice, final int immediate) {
        return new SendWithImmediate(id, List.of(slice), immediate, Optional.empty(), DEFAULT_FLAGS);
    }

    /** Writes into the peer's memory. */
    static SendRequest write(final long id, final Slice slice, final RemoteMemory to) {
        return new Write(id, List.of(slice), to, DEFAULT_FLAGS);
    }

    /** Writes into the peer's memory, and then completes the peer's next receive request with the immediate value. */
    static SendRequest writeWithImmediate(final long id, final Slice slice, final RemoteMemory to,
            final int immediate) {
        return new WriteWithImmediate(id, List.of(slice), to, immediate, DEFAULT_FLAGS);
    }

    /** Reads from the peer's memory. */
    static SendRequest read(final long id, final Slice slice, final RemoteMemory from) {
        return new Read(id, List.of(slice), from, DEFAULT_FLAGS);
    }

    /** Adds to 8 bytes of the peer's memory; the value before comes back to {@code result}, 8 bytes. */
    static SendRequest fetchAndAdd(final long id, final Slice result, final RemoteMemory at, final long add) {
        return new FetchAndAdd(id, result, at, add, DEFAULT_FLAGS);
    }

    /** Replaces 8 bytes of the peer's memory if they are as expected; the value before comes back to {@code result}, 8 bytes. */
    static SendRequest compareAndSwap(final long id, final Slice result, final RemoteMemory at, final long compare,
            final long swap) {
        return new CompareAndSwap(id, result, at, compare, swap, DEFAULT_FLAGS);
    }

    /**
     * Sends a message to the peer's next receive request.
     *
     * @param destination where a UD queue pair sends to; empty for connected ones
     */
    record Send(long id, List<Slice> slices, Optional<Destination> destination,
            Set<SendFlag> flags) implements SendRequest {
        /** Copies the collections. */
        public Send {
            slices = List.copyOf(slices);
            Objects.requireNonNull(destination, "destination");
            flags = Set.copyOf(flags);
        }

        @Override
        public Send with(final SendFlag... others) {
            return new Send(id, slices, destination, Set.of(others));
        }
    }

    /**
     * Sends a message and 32 bits that come with the peer's completion.
     *
     * @param immediate in host byte order
     * @param destination where a UD queue pair sends to; empty for connected ones
     */
    record SendWithImmediate(long id, List<Slice> slices, int immediate, Optional<Destination> destination,
            Set<SendFlag> flags)
            implements
                SendRequest {
        /** Copies the collections. */
        public SendWithImmediate {
            slices = List.copyOf(slices);
            Objects.requireNonNull(destination, "destination");
            flags = Set.copyOf(flags);
        }

        @Override
        public SendWithImmediate with(final SendFlag... others) {
            return new SendWithImmediate(id, slices, immediate, destination, Set.of(others));
        }
    }

    /**
     * Writes into the peer's memory, which the peer does not notice.
     *
     * @param remote where; the peer's region needs REMOTE_WRITE
     */
    record Write(long id, List<Slice> slices, RemoteMemory remote, Set<SendFlag> flags) implements SendRequest {
        /** Copies the collections. */
        public Write {
            slices = List.copyOf(slices);
            Objects.requireNonNull(remote, "remote");
            flags = Set.copyOf(flags);
        }

        @Override
        public Write with(final SendFlag... others) {
            return new Write(id, slices, remote, Set.of(others));
        }
    }

    /**
     * Writes into the peer's memory, and then completes the peer's next receive request, whose memory it does not touch.
     *
     * @param remote where; the peer's region needs REMOTE_WRITE
     * @param immediate in host byte order
     */
    record WriteWithImmediate(long id, List<Slice> slices, RemoteMemory remote, int immediate,
            Set<SendFlag> flags) implements SendRequest {
        /** Copies the collections. */
        public WriteWithImmediate {
            slices = List.copyOf(slices);
            Objects.requireNonNull(remote, "remote");
            flags = Set.copyOf(flags);
        }

        @Override
        public WriteWithImmediate with(final SendFlag... others) {
            return new WriteWithImmediate(id, slices, remote, immediate, Set.of(others));
        }
    }

    /**
     * Reads from the peer's memory, which the peer does not notice.
     *
     * @param remote from where; the peer's region needs REMOTE_READ
     */
    record Read(long id, List<Slice> slices, RemoteMemory remote, Set<SendFlag> flags) implements SendRequest {
        /** Copies the collections. */
        public Read {
            slices = List.copyOf(slices);
            Objects.requireNonNull(remote, "remote");
            flags = Set.copyOf(flags);
        }

        @Override
        public Read with(final SendFlag... others) {
            return new Read(id, slices, remote, Set.of(others));
        }
    }

    /**
     * Adds to a 64-bit number, in host byte order, in the peer's memory.
     *
     * @param result 8 bytes for the value before
     * @param remote at a multiple of 8; the peer's region needs REMOTE_ATOMIC
     */
    record FetchAndAdd(long id, Slice result, RemoteMemory remote, long add,
            Set<SendFlag> flags) implements SendRequest {
        /** Copies the collection. */
        public FetchAndAdd {
            Objects.requireNonNull(result, "result");
            Objects.requireNonNull(remote, "remote");
            flags = Set.copyOf(flags);
        }

        @Override
        public List<Slice> slices() {
            return List.of(result);
        }

        @Override
        public FetchAndAdd with(final SendFlag... others) {
            return new FetchAndAdd(id, result, remote, add, Set.of(others));
        }
    }

    /**
     * Replaces a 64-bit number, in host byte order, in the peer's memory, if it equals {@code compare}.
     *
     * @param result 8 bytes for the value before
     * @param remote at a multiple of 8; the peer's region needs REMOTE_ATOMIC
     */
    record CompareAndSwap(long id, Slice result, RemoteMemory remote, long compare, long swap,
            Set<SendFlag> flags) implements SendRequest {
        /** Copies the collection. */
        public CompareAndSwap {
            Objects.requireNonNull(result, "result");
            Objects.requireNonNull(remote, "remote");
            flags = Set.copyOf(flags);
        }

        @Override
        public List<Slice> slices() {
            return List.of(result);
        }

        @Override
        public CompareAndSwap with(final SendFlag... others) {
            return new CompareAndSwap(id, result, remote, compare, swap, Set.of(others));
        }
    }
}
