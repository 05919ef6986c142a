package org.chagres.collectives.reduce;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;

/** A family of kernels, one for each (data type, kind of operation), each made when first asked for. */
abstract class Kernels {
    /** Plain loops. */
    static final Kernels PLAIN = new Kernels() {
        @Override
        Class<? extends Kernel> template(final DataType type) {
            return switch (type) {
                case INT8, UINT8, INT32, UINT32, INT64, UINT64 -> PlainLong.class;
                case FLOAT16, BFLOAT16, FLOAT32, FLOAT8_E4M3, FLOAT8_E5M2 -> PlainFloat.class;
                case FLOAT64 -> PlainDouble.class;
            };
        }

        @Override
        boolean vectorized() {
            return false;
        }
    };

    /** The fastest that this JVM has. */
    static final Kernels FASTEST = PLAIN;

    private final Map<KernelSpec, Kernel> made = new ConcurrentHashMap<>();

    abstract Class<? extends Kernel> template(DataType type);

    abstract boolean vectorized();

    final Kernel of(final DataType type, final ReduceOp.Kind kind) {
        return made.computeIfAbsent(new KernelSpec(type, kind), spec -> spec.specialize(template(type)));
    }
}
