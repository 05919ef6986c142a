package org.chagres.verbs;

import java.io.Serial;
import java.util.Set;

/** A transition of a queue pair that does not exist, or that lacks attributes or has some that it does not take. Nothing was changed. */
public final class IllegalTransitionException extends VerbsException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final QueuePairState from;
    private final QueuePairState to;
    private final transient Set<QueuePairAttribute> missing;
    private final transient Set<QueuePairAttribute> extra;

    /** A transition that does not exist. */
    IllegalTransitionException(final QueuePairType type, final QueuePairState from, final QueuePairState to,
            final Set<QueuePairState> reachable) {
        super("a queue pair of type " + type + " cannot go from " + from + " to " + to + ": from " + from
                + " it can go to " + reachable);
        this.from = from;
        this.to = to;
        this.missing = Set.of();
        this.extra = Set.of();
    }

    /** A transition with wrong attributes. */
    IllegalTransitionException(final QueuePairType type, final QueuePairState from, final QueuePairState to,
            final Set<QueuePairAttribute> missing,
            final Set<QueuePairAttribute> extra) {
        super("a queue pair of type " + type + " cannot go from " + from + " to " + to + " like this:"
                + (missing.isEmpty() ? "" : " missing are " + missing)
                + (extra.isEmpty()
                        ? ""
                        : (missing.isEmpty() ? "" : " and") + " this transition does not take " + extra));
        this.from = from;
        this.to = to;
        this.missing = Set.copyOf(missing);
        this.extra = Set.copyOf(extra);
    }

    /** The state that the queue pair is in. */
    public QueuePairState from() {
        return from;
    }

    /** The state that was asked for. */
    public QueuePairState to() {
        return to;
    }

    /** Attributes that the transition needs and did not get. */
    public Set<QueuePairAttribute> missing() {
        return missing;
    }

    /** Attributes that the transition does not take. */
    public Set<QueuePairAttribute> extra() {
        return extra;
    }
}
