package org.chagres.collectives;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.exec.Lane;
import org.chagres.collectives.exec.Run;

/**
 * Messages that progress together. Add them, then {@link #run}; a group may be run again, which sends and receives the same buffers anew and allocates
 * nothing if they are registered. Messages between the same two ranks in the same direction keep their order. Used by one thread at a time.
 */
public final class Group {
    private final Communicator communicator;
    private final Engine engine;
    private final List<Message> messages = new ArrayList<>();

    Group(final Communicator communicator, final Engine engine) {
        this.communicator = communicator;
        this.engine = engine;
    }

    /** Adds a message to {@code peer}, which may be this rank if the group also receives it. */
    public Group send(final MemorySegment segment, final long count, final DataType type, final int peer) {
        return add(segment, count, type, peer, true);
    }

    /** Adds the receipt of the next message of {@code peer}. */
    public Group recv(final MemorySegment segment, final long count, final DataType type, final int peer) {
        return add(segment, count, type, peer, false);
    }

    private Group add(final MemorySegment segment, final long count, final DataType type, final int peer,
            final boolean sends) {
        final boolean self = peer == communicator.rank();
        if (!self) {
            communicator.requirePeer(peer);
        }
        final Prepared prepared = communicator.message(count, type, sends);
        final Message message = new Message(prepared, segment, self ? null : communicator.lane(peer, sends), sends,
                engine.binding());
        if (self) {
            pair(message);
        } else {
            message.predecessor = last(message.lane);
        }
        messages.add(message);
        return this;
    }

    private Message last(final Lane lane) {
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i).lane == lane) {
                return messages.get(i);
            }
        }
        return null;
    }

    private void pair(final Message message) {
        for (final Message other : messages) {
            if (other.lane == null && other.partner == null && other.sends != message.sends) {
                message.partner = other;
                other.partner = message;
                return;
            }
        }
    }

    /**
     * Sends and receives all messages; returns when all buffers may be used again.
     *
     * @throws IllegalArgumentException if a buffer is too short, or a message of this rank to itself lacks its other end
     */
    public void run() {
        engine.enter();
        try {
            for (int i = 0; i < messages.size(); i++) {
                messages.get(i).bind(communicator.rank());
            }
            engine.complete(this, communicator.timeoutNanos());
            for (int i = 0; i < messages.size(); i++) {
                messages.get(i).binding.deliver();
            }
        } finally {
            for (int i = 0; i < messages.size(); i++) {
                messages.get(i).binding.release();
            }
            engine.exit();
        }
    }

    /** Advances every message that may; returns whether all are done. */
    boolean advance() {
        boolean done = true;
        for (int i = 0; i < messages.size(); i++) {
            done &= messages.get(i).advance();
        }
        return done;
    }

    /** The first message that is under way, or null. */
    Run pending() {
        for (int i = 0; i < messages.size(); i++) {
            final Message message = messages.get(i);
            if (message.started && !message.done) {
                return message.run;
            }
        }
        return null;
    }

    private static final class Message {
        private final Prepared prepared;
        private final MemorySegment segment;
        /** Null for a message of this rank to itself. */
        private final Lane lane;
        private final boolean sends;
        private final Binding binding;
        private final Run run = new Run();
        private Message predecessor;
        private Message partner;
        private boolean started;
        private boolean done;

        Message(final Prepared prepared, final MemorySegment segment, final Lane lane, final boolean sends,
                final Binding binding) {
            this.prepared = prepared;
            this.segment = segment;
            this.lane = lane;
            this.sends = sends;
            this.binding = binding;
        }

        void bind(final int rank) {
            started = false;
            done = false;
            binding.bind(prepared, sends ? segment : null, sends ? null : segment);
            if (lane == null && (partner == null || partner.prepared.shape().count() != prepared.shape().count()
                    || partner.prepared.type() != prepared.type())) {
                throw new IllegalArgumentException(
                        "rank " + rank + " " + (sends ? "sends " : "receives ") + prepared.shape().count() + " "
                                + prepared.type().label() + (sends ? " to" : " from")
                                + " itself without the other end of the same count and type in the group");
            }
        }

        boolean advance() {
            if (done) {
                return true;
            }
            if (lane == null) {
                if (sends) {
                    org.chagres.memory.Memory.copy(partner.binding.recv, binding.send, prepared.sendBytes());
                }
                done = true;
                return true;
            }
            if (!started) {
                if (predecessor != null && !predecessor.done) {
                    return false;
                }
                run.start(prepared.program(), lane, binding.send, binding.recv, binding.token, binding.offset);
                started = true;
            }
            done = run.advance();
            return done;
        }
    }
}
