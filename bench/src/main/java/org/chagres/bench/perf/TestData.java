package org.chagres.bench.perf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;

/**
 * Inputs whose reduction is known bit for bit, whatever the order of the ranks and however partial results are rounded on the way: the sum (or
 * product) of any subset of the ranks' values is exact in every type. Data that is only moved has arbitrary bits.
 *
 * <p>Where a narrow type cannot hold a contribution of every rank, the ranks that contribute take turns from element to element, and the
 * others hold the neutral value.
 */
final class TestData {
    /** What perf's {@code mulsum} multiplies by: every type holds it. */
    static final double SCALAR = 2;

    private final DataType type;
    private final ReduceOp.Kind kind;
    private final int ranks;
    private final long seed;
    private final Map<Integer, Pattern> moved = new HashMap<>();
    private final Map<Integer, Pattern> inputs = new HashMap<>();

    /** @param seed tells one check's data from the next's, so that what an earlier operation left behind is not taken for a result */
    TestData(final DataType type, final ReduceOp op, final int ranks, final long seed) {
        this.type = type;
        this.kind = op.kind();
        this.ranks = ranks;
        this.seed = seed;
    }

    /** Data that is only moved; each {@code source} has its own. */
    Pattern moved(final int source) {
        return moved.computeIfAbsent(source, s -> {
            final MemorySegment elements = period();
            for (long i = 0; i < elements.byteSize(); i++) {
                elements.set(ValueLayout.JAVA_BYTE, i, (byte) hash(s, i));
            }
            return new Pattern(elements, type.size());
        });
    }

    /** What {@code rank} contributes to a reduction. */
    Pattern input(final int rank) {
        return inputs.computeIfAbsent(rank, r -> pattern(i -> value(r, i)));
    }

    /** What the reduction over all ranks must give. */
    Pattern reduced() {
        return pattern(this::expected);
    }

    private double expected(final int i) {
        double result = value(0, i);
        for (int rank = 1; rank < ranks; rank++) {
            final double value = value(rank, i);
            result = switch (kind) {
                case SUM, AVG, PREMULSUM -> result + value;
                case PROD -> result * value;
                case MIN -> Math.min(result, value);
                case MAX -> Math.max(result, value);
            };
        }
        return switch (kind) {
            case AVG -> result / ranks;
            case PREMULSUM -> result * SCALAR;
            default -> result;
        };
    }

    double value(final int rank, final int i) {
        final long random = hash(rank, i) >>> 1;
        return switch (kind) {
            case SUM, AVG, PREMULSUM -> addend(rank, i, random);
            case PROD -> factor(rank, i, random);
            case MIN, MAX -> random % 8 - (type.isUnsigned() ? 0 : 4);
        };
    }

    private double addend(final int rank, final int i, final long random) {
        final int limit = (int) (exactIntegers() / (kind == ReduceOp.Kind.PREMULSUM ? SCALAR : 1));
        return takesTurn(rank, i, limit) ? 1 + random % Math.max(1, Math.min(limit / ranks, 100)) : 0;
    }

    private double factor(final int rank, final int i, final long random) {
        if (!type.isFloatingPoint()) {
            return takesTurn(rank, i, type.size() == 1 ? 3 : 14) ? 1 + random % 4 : 1;
        }
        final double power = (random & 1) == 0 ? 2 : 0.5;
        return takesTurn(rank, i, exactDoublings()) ? ((random & 2) == 0 ? power : -power) : 1;
    }

    private boolean takesTurn(final int rank, final int i, final int limit) {
        return (rank + i) % ranks < limit;
    }

    /** The largest integer up to which the type holds every integer, capped where more says nothing new. */
    private int exactIntegers() {
        return switch (type) {
            case INT8 -> Byte.MAX_VALUE;
            case UINT8 -> 255;
            case FLOAT16 -> 2048;
            case BFLOAT16 -> 256;
            case FLOAT8_E4M3 -> 16;
            case FLOAT8_E5M2 -> 8;
            default -> 1 << 20;
        };
    }

    /** How often 1 can be doubled or halved without leaving the normal range. */
    private int exactDoublings() {
        return switch (type) {
            case FLOAT8_E4M3 -> 6;
            case FLOAT16, FLOAT8_E5M2 -> 14;
            default -> 100;
        };
    }

    private Pattern pattern(final IntToDoubleFunction values) {
        final MemorySegment elements = period();
        for (int i = 0; i < Pattern.PERIOD; i++) {
            Encoding.store(elements, i, type, values.applyAsDouble(i));
        }
        return new Pattern(elements, type.size());
    }

    private MemorySegment period() {
        return MemorySegment.ofArray(new byte[Pattern.PERIOD * type.size()]);
    }

    /** The finaliser of SplitMix64 over the three coordinates. */
    private long hash(final long source, final long i) {
        long z = seed * 0x9e3779b97f4a7c15L + source * 0xd1342543de82ef95L + i * 0xaf251af3b0f025b5L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
