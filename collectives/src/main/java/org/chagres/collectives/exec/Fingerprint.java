package org.chagres.collectives.exec;

import java.util.List;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Shape;

/**
 * What a rank is about to do, in 64 bits, so that ranks can compare it in the handshake that a plan needs anyway, and so that either side can be
 * shown to a person.
 *
 * <pre>
 * collective, from 1 (4)  type (4)  op (3)  algorithm (4)  root (12)  count (32; a larger one, or the scalar of a pre-multiplied sum, is folded in)  history (5)
 * </pre>
 *
 * The history stands for all operations before: ranks that each sent to the other as the root have both finished, and neither looked. From then on
 * their histories differ, and the next operations in which they look at each other show it, all but certainly.
 */
public final class Fingerprint {
    private static final int TYPE_BITS = 4;
    private static final int OP_BITS = 3;
    private static final int ALGORITHM_BITS = 4;
    private static final int ROOT_BITS = 12;
    private static final int COUNT_BITS = 32;
    private static final int HISTORY_BITS = 5;
    /** Odd, so that different histories stay different. */
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final long COUNT_MASK = (1L << COUNT_BITS) - 1;
    private static final List<Collective> COLLECTIVES = List.of(Collective.values());
    private static final int NO_OP = (1 << OP_BITS) - 1;

    private Fingerprint() {
    }

    /**
     * Packs what an operation is.
     *
     * @param op null where nothing is reduced
     */
    public static long of(final Shape shape, final DataType type, final ReduceOp op, final int algorithm) {
        long bits = code(shape.collective());
        bits = bits << TYPE_BITS | type.code();
        bits = bits << OP_BITS | (op == null ? NO_OP : op.kind().code());
        bits = bits << ALGORITHM_BITS | algorithm & (1 << ALGORITHM_BITS) - 1;
        bits = bits << ROOT_BITS | shape.root() & (1 << ROOT_BITS) - 1;
        long count = shape.count() ^ shape.count() >>> COUNT_BITS;
        if (op != null && op.kind() == ReduceOp.Kind.PREMULSUM) {
            final long scalar = Double.doubleToLongBits(op.scalar());
            count ^= scalar ^ scalar >>> COUNT_BITS;
        }
        return (bits << COUNT_BITS | count & COUNT_MASK) << HISTORY_BITS;
    }

    /** The fingerprint of an operation after others. */
    static long after(final long history, final long fingerprint) {
        return fingerprint | history >>> Long.SIZE - HISTORY_BITS;
    }

    /** The history that such an operation leaves. */
    static long next(final long history, final long fingerprint) {
        return (history ^ fingerprint) * MIX;
    }

    /** Whether two fingerprints are of the same operation, whatever came before. */
    public static boolean sameOperation(final long one, final long other) {
        return (one ^ other) >>> HISTORY_BITS == 0;
    }

    /** For a person: {@code all_reduce of 1024 float32, sum, by ring}. */
    public static String describe(final long fingerprint, final List<String> algorithms) {
        final long count = fingerprint >>> HISTORY_BITS & COUNT_MASK;
        long rest = fingerprint >>> HISTORY_BITS + COUNT_BITS;
        final int root = (int) (rest & (1 << ROOT_BITS) - 1);
        rest >>>= ROOT_BITS;
        final int algorithm = (int) (rest & (1 << ALGORITHM_BITS) - 1);
        rest >>>= ALGORITHM_BITS;
        final int op = (int) (rest & NO_OP);
        rest >>>= OP_BITS;
        final int type = (int) (rest & (1 << TYPE_BITS) - 1);
        final int code = (int) (rest >>> TYPE_BITS);
        final Collective collective = collective(code);
        final StringBuilder text = new StringBuilder(80)
                .append(collective == null ? "collective " + code : collective.label())
                .append(" of ")
                .append(count)
                .append(' ')
                .append(typeName(type));
        if (op != NO_OP) {
            text.append(", ").append(opName(op));
        }
        if (collective != null && collective.rooted()) {
            text.append(", root ").append(root);
        }
        return text.append(", by ")
                .append(algorithm < algorithms.size() ? algorithms.get(algorithm) : "algorithm " + algorithm)
                .toString();
    }

    /** Counts from 1, so that no fingerprint is 0. */
    private static int code(final Collective collective) {
        return COLLECTIVES.indexOf(collective) + 1;
    }

    private static Collective collective(final int code) {
        return code >= 1 && code <= COLLECTIVES.size() ? COLLECTIVES.get(code - 1) : null;
    }

    private static String typeName(final int code) {
        for (final DataType type : DataType.values()) {
            if (type.code() == code) {
                return type.label();
            }
        }
        return "type " + code;
    }

    private static String opName(final int code) {
        for (final ReduceOp.Kind kind : ReduceOp.Kind.values()) {
            if (kind.code() == code) {
                return kind.label();
            }
        }
        return "op " + code;
    }
}
