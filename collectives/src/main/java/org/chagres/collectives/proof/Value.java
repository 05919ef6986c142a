package org.chagres.collectives.proof;

import java.util.BitSet;

/**
 * What an element holds, its index apart.
 *
 * @param kind how far it has come
 * @param term the ranks' contributions in it and the order in which they were combined
 */
record Value(Kind kind, Term term) {
    enum Kind {
        /** One rank's input. */
        RAW,
        /** The combination of some ranks' inputs. */
        PARTIAL,
        /** The combination of all ranks' inputs, an average divided. */
        FINAL
    }

    /** A combination of contributions. Equal combinations are one object, so that identity says that two results have the same bits. */
    static final class Term {
        private final BitSet ranks;
        private final int depth;

        Term(final BitSet ranks, final int depth) {
            this.ranks = ranks;
            this.depth = depth;
        }

        /** Combinations that follow one another in it. */
        int depth() {
            return depth;
        }

        BitSet ranks() {
            return ranks;
        }
    }

    @Override
    public String toString() {
        return switch (kind) {
            case RAW -> "rank " + term.ranks.nextSetBit(0) + "'s input";
            case PARTIAL -> "the partial result of ranks " + term.ranks;
            case FINAL -> "the result";
        };
    }
}
