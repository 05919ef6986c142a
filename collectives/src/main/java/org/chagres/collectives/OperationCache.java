package org.chagres.collectives;

import java.util.Objects;
import org.chagres.collectives.plan.Collective;

/**
 * The operations that a communicator has prepared, by what was asked for. Bounded: a new one takes the place of an old one with the same hash. A hit
 * allocates nothing. Used by one thread at a time.
 */
final class OperationCache {
    private static final int SLOTS = 256;

    private final Prepared[] slots = new Prepared[SLOTS];
    private Prepared last;

    Prepared find(final Collective collective, final long count, final DataType type, final ReduceOp op,
            final int root) {
        if (matches(last, collective, count, type, op, root)) {
            return last;
        }
        final Prepared found = slots[slot(collective, count, type, op, root)];
        if (matches(found, collective, count, type, op, root)) {
            last = found;
            return found;
        }
        return null;
    }

    Prepared add(final Prepared made) {
        slots[slot(made.shape().collective(), made.shape().count(), made.type(), made.op(),
                made.shape().root())] = made;
        last = made;
        return made;
    }

    private static boolean matches(final Prepared p, final Collective collective, final long count, final DataType type,
            final ReduceOp op, final int root) {
        return p != null && p.shape().count() == count && p.shape().collective() == collective && p.type() == type
                && p.shape().root() == root && Objects.equals(p.op(), op);
    }

    private static int slot(final Collective collective, final long count, final DataType type, final ReduceOp op,
            final int root) {
        long hash = count * 0x9E3779B97F4A7C15L + collective.name().hashCode();
        hash = hash * 31 + type.code();
        hash = hash * 31 + root;
        hash = hash * 31 + (op == null ? -1 : op.kind().code());
        return (int) ((hash * 0x9E3779B97F4A7C15L) >>> 56) & SLOTS - 1;
    }
}
