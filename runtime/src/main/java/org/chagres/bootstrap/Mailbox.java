package org.chagres.bootstrap;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntUnaryOperator;

/**
 * Where the control messages of one topic arrive, in the order in which each peer sent them. Messages that come before the mailbox is asked for wait in
 * it. {@link #poll} is cheap enough for the slow side of a waiting loop. Any thread may use it.
 */
public final class Mailbox {
    private final Queue<Letter> letters;
    private final IntUnaryOperator rename;

    Mailbox() {
        this(new ConcurrentLinkedQueue<>(), IntUnaryOperator.identity());
    }

    private Mailbox(final Queue<Letter> letters, final IntUnaryOperator rename) {
        this.letters = letters;
        this.rename = rename;
    }

    /**
     * A control message.
     *
     * @param from the rank that sent it
     */
    @SuppressWarnings("ArrayRecordComponent") // letters are never compared
    public record Letter(int from, byte[] body) {}

    /** The next message, or null. */
    public Letter poll() {
        final Letter letter = letters.poll();
        return letter == null ? null : new Letter(rename.applyAsInt(letter.from()), letter.body());
    }

    /** The same mailbox with other names for the senders. */
    public Mailbox mapped(final IntUnaryOperator names) {
        return new Mailbox(letters, rename.andThen(names));
    }

    void add(final Letter letter) {
        letters.add(letter);
    }
}
