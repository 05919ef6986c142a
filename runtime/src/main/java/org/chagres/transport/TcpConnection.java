package org.chagres.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.chagres.bindings.CallState;
import org.chagres.bindings.Errno;
import org.chagres.bindings.ErrnoException;
import org.chagres.bindings.LibC;
import org.chagres.bindings.PollSet;
import org.chagres.bindings.SocketIo;
import org.chagres.bindings.Sockets;
import org.chagres.memory.Memory;
import org.chagres.memory.MemoryDomain;

/**
 * One rank's end of the data connection to a peer: a socket, what is to be sent, and the frame that is arriving. It carries several lanes. Data go
 * straight to where they belong, except for what arrives together with a header, which is copied there. Used by one thread at a time.
 */
public final class TcpConnection {
    private static final int MAX_LANES = 16;
    private static final long STAGING_BYTES = 16 << 10;
    /** The most data that one system call moves in: enough to amortise it, and still in the cache when it is read again. */
    private static final long RECEIVE_BYTES = 128 << 10;
    /** System calls in a row before others have their turn. */
    private static final int RECEIVES_PER_POLL = 4;
    private static final long ENTRY_BYTES = 16;
    private static final long MESSAGE_BYTES = 56;
    private static final long CLOSE_POLL_NS = 100_000;

    private final int fd;
    private final int peer;
    private final MemoryDomain domain;
    private final Arena arena = Arena.ofShared();
    private final Outbox outbox;
    private final TcpLink[] lanes = new TcpLink[MAX_LANES];
    private final long staging;
    /** {@code struct msghdr} with two entries: the data that arrive, then {@link #staging}. */
    private final long scatter;
    private long start;
    private long end;
    /** The frame whose data are arriving, and how much is still to come. */
    private TcpLink arriving;
    private long left;
    private long token;
    private long offset;
    private boolean message;
    /** Why nothing more can be sent; null while it can. */
    private String cut;
    private boolean ended;
    private boolean closed;

    TcpConnection(final int fd, final int peer, final MemoryDomain domain) {
        this.fd = fd;
        this.peer = peer;
        this.domain = domain;
        this.outbox = new Outbox(arena);
        this.staging = arena.allocate(STAGING_BYTES, 64).address();
        final MemorySegment entries = arena.allocate(2 * ENTRY_BYTES, 8);
        this.scatter = arena.allocate(MESSAGE_BYTES, 8).fill((byte) 0).address();
        Memory.putLong(scatter + 16, entries.address());
        Memory.putLong(scatter + 24, 2);
        Memory.putLong(entries.address() + ENTRY_BYTES, staging);
        Memory.putLong(entries.address() + ENTRY_BYTES + 8, STAGING_BYTES);
    }

    int peer() {
        return peer;
    }

    int descriptor() {
        return fd;
    }

    /** What to wait for before the next poll. */
    int interest() {
        return (ended ? 0 : PollSet.IN) | (flushed() ? 0 : PollSet.OUT);
    }

    void add(final int lane, final TcpLink link) {
        lanes[lane] = link;
    }

    boolean writable() {
        return outbox.hasRoom();
    }

    boolean flushed() {
        return outbox.pending() == 0;
    }

    /** A new frame, to be filled by the caller. */
    long frame(final int kind, final int lane, final int channel, final long completed) {
        final long at = outbox.append(TcpFrame.BYTES);
        TcpFrame.write(at, kind, lane, channel, completed);
        return at;
    }

    /** The data of the frame before. */
    void data(final long from, final long bytes) {
        if (bytes <= Outbox.COPIED_BYTES) {
            Memory.copy(outbox.append(bytes), from, bytes);
        } else {
            outbox.refer(from, bytes);
        }
    }

    /** Sends what the socket takes; returns whether anything went. */
    boolean flush() {
        final MemorySegment state = CallState.segment();
        boolean moved = false;
        while (outbox.pending() > 0) {
            if (cut != null) {
                outbox.clear();
                return moved;
            }
            final long sent = outbox.send(state, fd);
            if (sent >= 0) {
                moved = true;
            } else if (sent == SocketIo.AGAIN) {
                return moved;
            } else if (sent != -Errno.EINTR) {
                // What the peer said before it went is still to be read, and tells more.
                cut = Errno.describe((int) -sent);
            }
        }
        return moved;
    }

    /** Moves what can be moved in both directions; returns whether anything did. */
    boolean poll() {
        final boolean sent = outbox.pending() > 0 && flush();
        return receive() || sent;
    }

    private boolean receive() {
        if (ended) {
            return false;
        }
        final MemorySegment state = CallState.segment();
        for (int i = 0; i < RECEIVES_PER_POLL; i++) {
            final long wanted;
            final long got;
            if (left == 0) {
                wanted = STAGING_BYTES - end;
                got = SocketIo.recv(state, fd, staging + end, wanted);
            } else {
                wanted = Math.min(left, RECEIVE_BYTES);
                got = receiveData(state, wanted);
            }
            if (got == SocketIo.AGAIN || got == -Errno.EINTR) {
                return i > 0;
            }
            if (got <= 0) {
                throw broken(got == 0 ? "its end was closed without a goodbye" : Errno.describe((int) -got));
            }
            take(got);
            if (got < wanted || ended) {
                return true;
            }
        }
        return true;
    }

    /** Receives data to their place and, if that completes them, what follows to the staging buffer. */
    private long receiveData(final MemorySegment state, final long wanted) {
        final long to = destination(wanted);
        if (wanted < left) {
            return SocketIo.recv(state, fd, to, wanted);
        }
        final long entries = Memory.getLong(scatter + 16);
        Memory.putLong(entries, to);
        Memory.putLong(entries + 8, wanted);
        return SocketIo.recvmsg(state, fd, scatter);
    }

    private void take(final long got) {
        if (left > 0) {
            final long data = Math.min(left, got);
            arrived(data);
            end = got - data;
        } else {
            end += got;
        }
        parse();
    }

    private void arrived(final long bytes) {
        left -= bytes;
        offset += bytes;
        if (left == 0 && message) {
            arriving.messageArrived();
        }
    }

    private void parse() {
        while (end - start >= TcpFrame.BYTES && !ended) {
            final long at = staging + start;
            start += TcpFrame.BYTES;
            begin(at);
            if (left > 0) {
                final long here = Math.min(left, end - start);
                if (here > 0) {
                    Memory.copy(destination(here), staging + start, here);
                    start += here;
                    arrived(here);
                }
                if (left > 0) {
                    break;
                }
            }
        }
        if (start == end) {
            start = 0;
            end = 0;
        } else if (start > 0) {
            // Less than a header is left.
            Memory.copy(staging, staging + start, end - start);
            end -= start;
            start = 0;
        }
    }

    private void begin(final long at) {
        if (!TcpFrame.valid(at)) {
            throw violated("a header that is none");
        }
        if (TcpFrame.kind(at) == TcpFrame.BYE) {
            ended = true;
            cut = "it has left";
            return;
        }
        final TcpLink link = TcpFrame.lane(at) < MAX_LANES ? lanes[TcpFrame.lane(at)] : null;
        if (link == null) {
            throw violated("lane " + TcpFrame.lane(at) + ", which does not exist");
        }
        link.completedByPeer(TcpFrame.completed(at));
        switch (TcpFrame.kind(at)) {
            case TcpFrame.ANNOUNCE -> link.announcedByPeer(TcpFrame.sequence(at), TcpFrame.value(at),
                    TcpFrame.token(at), TcpFrame.offset(at));
            case TcpFrame.SIGNAL -> {
                if (!link.signalledByPeer(TcpFrame.sequence(at), TcpFrame.channel(at), TcpFrame.value(at))) {
                    throw violated("channel " + TcpFrame.channel(at) + ", which does not exist");
                }
            }
            case TcpFrame.PUT -> beginData(link, TcpFrame.token(at), TcpFrame.offset(at), TcpFrame.length(at), false);
            case TcpFrame.DELIVER -> beginMessage(link, at);
            case TcpFrame.COMPLETE -> {
            }
            default -> throw violated("a message of kind " + TcpFrame.kind(at));
        }
    }

    private void beginMessage(final TcpLink link, final long at) {
        final long bytes = TcpFrame.length(at);
        if (bytes < 0 || bytes > link.inboxBytes()) {
            throw violated("an inbox message of " + bytes + " bytes, the limit is " + link.inboxBytes());
        }
        link.messageArriving(TcpFrame.sequence(at), bytes, TcpFrame.value(at));
        beginData(link, link.inboxToken(), link.inboxOffset(TcpFrame.sequence(at)), bytes, true);
        if (bytes == 0) {
            link.messageArrived();
        }
    }

    private void beginData(final TcpLink link, final long region, final long place, final long bytes,
            final boolean toInbox) {
        arriving = link;
        token = region;
        offset = place;
        left = bytes;
        message = toInbox;
        destination(bytes);
    }

    /** Where the next {@code bytes} of the data go; found anew each time, because a region may be closed while its data are on their way. */
    private long destination(final long bytes) {
        final long address = domain.resolve(token, offset, bytes);
        if (address == 0) {
            throw violated("data for bytes " + offset + " to " + (offset + bytes) + " of a region (token "
                    + Long.toHexString(token) + ") that is closed here or shorter");
        }
        return address;
    }

    private LinkException violated(final String what) {
        cut = "it broke the protocol";
        ended = true;
        return new LinkException(peer, "rank " + peer + " sent " + what
                + ": the connection is unusable; do all ranks run the same Chagres, and does the memory of a running operation stay open?");
    }

    private LinkException broken(final String how) {
        cut = how;
        return new LinkException(peer, "the data connection to rank " + peer + " broke: " + how);
    }

    /**
     * Brings to the peer's host what is pending, as long as {@code patience} lasts, then closes the socket. Without any patience, what is pending may lie in
     * memory that is gone, and half of it may have been sent: then there is no goodbye either.
     */
    void close(final Duration patience) {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (cut == null && (patience.isPositive() || outbox.pending() == 0)) {
                frame(TcpFrame.BYE, 0, 0, 0);
                drain(System.nanoTime() + patience.toNanos());
            }
        } finally {
            LibC.close(fd);
            arena.close();
        }
    }

    /** Unread data in a socket that is closed would make the kernel drop what the peer has not received yet; hence the reading. */
    private void drain(final long deadline) {
        try {
            flush();
            while (cut == null && (outbox.pending() > 0 || Sockets.unacknowledged(fd) > 0)
                    && System.nanoTime() < deadline) {
                if (!poll()) {
                    LockSupport.parkNanos(CLOSE_POLL_NS);
                }
            }
        } catch (final LinkException | ErrnoException e) {
            // The peer has gone already: there is nobody left to bring anything to.
            cut = e.getMessage();
        }
    }
}
