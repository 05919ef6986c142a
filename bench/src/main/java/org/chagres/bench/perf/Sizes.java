package org.chagres.bench.perf;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.chagres.bench.UsageException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The sizes of a sweep, in bytes, as nccl-tests makes them: from {@code first} to {@code last}, times {@code factor} if that is above 1, else
 * plus {@code step}.
 */
public record Sizes(long first, long last, long step, int factor) {
    private static final Pattern SIZE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([KMG]?)");
    /** More rows than anybody reads: a mistyped step. */
    private static final long MAX_ROWS = 100_000;

    public Sizes {
        if (first > last) {
            throw new UsageException("-b " + first + " is above -e " + last + ": the sweep runs from -b to -e bytes");
        }
        if (factor < 1) {
            throw new UsageException("-f " + factor + " is no step factor: use 2 or more, or 1 to step by -i bytes");
        }
        if (first < last && factor > 1 && first == 0) {
            throw new UsageException("-b 0 never grows by a factor: start at 1 byte or more, or step by -i with -f 1");
        }
        if (first < last && factor == 1 && step < 1) {
            throw new UsageException(
                    "-i " + step + " never reaches -e " + last + ": step by 1 byte or more, or use -f");
        }
        if (factor == 1 && first < last && (last - first) / step >= MAX_ROWS) {
            throw new UsageException(
                    "-i " + step + " makes more than " + MAX_ROWS + " sizes: use a larger step, or -f");
        }
    }

    /** The sizes in ascending order, in bytes. */
    public long[] toArray() {
        return LongStream.iterate(first, size -> size >= 0 && size <= last, this::next).toArray();
    }

    private long next(final long size) {
        if (first == last || size > Long.MAX_VALUE / factor - step) {
            return -1;
        }
        return factor > 1 ? size * factor : size + step;
    }

    /** Reads {@code 8}, {@code 64K}, {@code 1.5M}, {@code 2G}; the suffixes are powers of 1024. */
    static long parse(final String text) {
        final Matcher matcher = SIZE.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new UsageException("'" + text + "' is no size: use bytes, or a number with K, M or G, such as 64M");
        }
        final int shift = switch (matcher.group(2)) {
            case "K" -> 10;
            case "M" -> 20;
            case "G" -> 30;
            default -> 0;
        };
        final double bytes = Double.parseDouble(matcher.group(1)) * (1L << shift);
        if (bytes >= 0x1p53) {
            throw new UsageException("size '" + text + "' is beyond 2^53 bytes");
        }
        return (long) bytes;
    }

    /** For picocli. */
    public static final class Converter implements ITypeConverter<Long> {
        @Override
        public Long convert(final String text) {
            try {
                return parse(text);
            } catch (final UsageException e) {
                final TypeConversionException unusable = new TypeConversionException(e.getMessage());
                unusable.initCause(e);
                throw unusable;
            }
        }
    }
}
