package org.chagres.collectives.reduce;

import jdk.incubator.vector.VectorOperators;

/** The lanewise operation of a kind. */
final class VectorOp {
    private VectorOp() {
    }

    static VectorOperators.Binary of(final KernelSpec spec) {
        final boolean unsigned = spec.type().isUnsigned();
        return switch (spec.kind()) {
            case SUM, AVG, PREMULSUM -> VectorOperators.ADD;
            case PROD -> VectorOperators.MUL;
            case MIN -> unsigned ? VectorOperators.UMIN : VectorOperators.MIN;
            case MAX -> unsigned ? VectorOperators.UMAX : VectorOperators.MAX;
        };
    }
}
