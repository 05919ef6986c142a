package org.chagres.collectives;

import java.util.Locale;

/**
 * How a collective combines the elements of its ranks. Immutable; equal when kind and scalar are.
 *
 * @see org.chagres.collectives.reduce.Reduction for the arithmetic of each data type
 */
public final class ReduceOp {
    /** The kinds of operation. */
    public enum Kind {
        /** a + b. */
        SUM(0, "sum"),
        /** a * b. */
        PROD(1, "prod"),
        /** The smaller; NaN if either is NaN. */
        MIN(3, "min"),
        /** The larger; NaN if either is NaN. */
        MAX(2, "max"),
        /** The sum divided by the world size. */
        AVG(4, "avg"),
        /** The sum of each rank's contribution times a scalar. */
        PREMULSUM(5, "mulsum");

        private final int code;
        private final String label;

        Kind(final int code, final String label) {
            this.code = code;
            this.label = label;
        }

        /**
         * A number that identifies this kind between ranks, whatever their version: that of NCCL's
         * {@code ncclRedOp_t}, whose first free number stands for PREMULSUM.
         *
         * @return the code, 0 to 5
         */
        public int code() {
            return code;
        }

        /**
         * The name that nccl-tests prints and accepts.
         *
         * @return the name, in lower case
         */
        public String label() {
            return label;
        }
    }

    /** The sum. */
    public static final ReduceOp SUM = new ReduceOp(Kind.SUM, 1);
    /** The product. */
    public static final ReduceOp PROD = new ReduceOp(Kind.PROD, 1);
    /** The minimum. */
    public static final ReduceOp MIN = new ReduceOp(Kind.MIN, 1);
    /** The maximum. */
    public static final ReduceOp MAX = new ReduceOp(Kind.MAX, 1);
    /** The average: the sum divided by the world size. */
    public static final ReduceOp AVG = new ReduceOp(Kind.AVG, 1);

    /** What {@code mulsum} alone stands for in {@link #parse}: a scalar that every type holds exactly. */
    private static final double DEFAULT_SCALAR = 2;

    private final Kind kind;
    private final double scalar;

    private ReduceOp(final Kind kind, final double scalar) {
        this.kind = kind;
        this.scalar = scalar;
    }

    /**
     * The sum of every rank's contribution multiplied by a scalar beforehand. Every rank passes the same
     * scalar. Whether a data type can hold it is checked when the op meets the type.
     *
     * @param scalar the factor
     * @return the op
     */
    public static ReduceOp preMulSum(final double scalar) {
        return new ReduceOp(Kind.PREMULSUM, scalar);
    }

    /**
     * The kind of operation.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * The factor of PREMULSUM.
     *
     * @return the factor; 1 for the other kinds
     */
    public double scalar() {
        return scalar;
    }

    /**
     * The name that nccl-tests prints.
     *
     * @return sum, prod, min, max, avg or mulsum
     */
    public String label() {
        return kind.label();
    }

    /**
     * The op of a name, in any case: {@code sum}, {@code prod}, {@code min}, {@code max}, {@code avg},
     * or {@code mulsum:SCALAR}; {@code mulsum} alone has the scalar 2.
     *
     * @param name the name
     * @return the op
     * @throws IllegalArgumentException if the name is none of these; the message lists them
     */
    public static ReduceOp parse(final String name) {
        final String key = name.strip().toLowerCase(Locale.ROOT);
        return switch (key) {
            case "sum" -> SUM;
            case "prod" -> PROD;
            case "min" -> MIN;
            case "max" -> MAX;
            case "avg" -> AVG;
            case "mulsum" -> preMulSum(DEFAULT_SCALAR);
            default -> preMulSum(parseScalar(name, key));
        };
    }

    private static double parseScalar(final String name, final String key) {
        final String prefix = Kind.PREMULSUM.label() + ":";
        if (key.startsWith(prefix)) {
            try {
                return Double.parseDouble(key.substring(prefix.length()));
            } catch (final NumberFormatException e) {
                throw new IllegalArgumentException("'" + name + "' has no number after 'mulsum:'", e);
            }
        }
        throw new IllegalArgumentException(
                "unknown reduce op '" + name + "'; use one of sum, prod, min, max, avg, mulsum, mulsum:SCALAR");
    }

    @Override
    public boolean equals(final Object other) {
        return other instanceof ReduceOp op && kind == op.kind && Double.compare(scalar, op.scalar) == 0;
    }

    @Override
    public int hashCode() {
        return 31 * kind.hashCode() + Double.hashCode(scalar);
    }

    @Override
    public String toString() {
        return kind == Kind.PREMULSUM ? label() + ":" + scalar : label();
    }
}
