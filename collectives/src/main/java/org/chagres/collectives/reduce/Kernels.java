package org.chagres.collectives.reduce;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.ReduceOp.Kind;

/** A family of kernels, one for each (data type, kind of operation), each made when first asked for. */
abstract class Kernels {
    /** Plain loops, for every type and kind. */
    static final Kernels PLAIN = new Kernels() {
        @Override
        Class<? extends Kernel> template(final DataType type, final ReduceOp.Kind kind) {
            return switch (type) {
                case INT8, UINT8, INT32, UINT32, INT64, UINT64 -> PlainLong.class;
                case FLOAT16, BFLOAT16, FLOAT32, FLOAT8_E4M3, FLOAT8_E5M2 -> PlainFloat.class;
                case FLOAT64 -> PlainDouble.class;
            };
        }
    };

    /** The Vector API, but for the average of integers: there is no vector division. */
    static final Kernels VECTOR = new Kernels() {
        @Override
        Class<? extends Kernel> template(final DataType type, final ReduceOp.Kind kind) {
            if (kind == Kind.AVG && !type.isFloatingPoint()) {
                return PLAIN.template(type, kind);
            }
            return switch (type) {
                case INT8, UINT8 -> VectorByte.class;
                case INT32, UINT32 -> VectorInt.class;
                case INT64, UINT64 -> VectorLong.class;
                case BFLOAT16 -> VectorBFloat16.class;
                case FLOAT32 -> VectorFloat.class;
                case FLOAT64 -> VectorDouble.class;
                case FLOAT16 -> VectorFloat16.class;
                case FLOAT8_E4M3, FLOAT8_E5M2 -> VectorFloat8.class;
            };
        }
    };

    private final Map<KernelSpec, Kernel> made = new ConcurrentHashMap<>();

    abstract Class<? extends Kernel> template(DataType type, ReduceOp.Kind kind);

    final Kernel of(final DataType type, final ReduceOp.Kind kind) {
        return made.computeIfAbsent(new KernelSpec(template(type, kind), type, kind, false), KernelSpec::specialize);
    }

    /** The fastest family that this JVM and its environment allow. */
    static Kernels fastest() {
        final boolean present = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
        return choose(System.getenv("CHAGRES_VECTOR"), present);
    }

    /**
     * The family that a setting asks for.
     *
     * @param setting the value of CHAGRES_VECTOR, or null
     * @param present whether the JVM has the Vector API
     * @throws IllegalArgumentException if the setting is not legal here
     */
    static Kernels choose(final String setting, final boolean present) {
        return switch (setting) {
            case null -> present ? VECTOR : PLAIN;
            case "0" -> PLAIN;
            case "1" -> {
                if (!present) {
                    throw new IllegalArgumentException("CHAGRES_VECTOR=1, but the JVM has no Vector API: "
                            + "start it with --add-modules=jdk.incubator.vector, or unset the variable");
                }
                yield VECTOR;
            }
            default -> throw new IllegalArgumentException("CHAGRES_VECTOR=" + setting
                    + " is not legal: use 0 (plain loops), 1 (the Vector API), or unset it (what is there)");
        };
    }
}
