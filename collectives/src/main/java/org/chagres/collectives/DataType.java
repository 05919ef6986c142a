package org.chagres.collectives;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The element types that collectives move and reduce. Elements are stored in native byte order.
 */
public enum DataType {
    /** Signed 8-bit integer. */
    INT8(0, 1, "int8", "i8"),
    /** Unsigned 8-bit integer. */
    UINT8(1, 1, "uint8", "u8"),
    /** Signed 32-bit integer. */
    INT32(2, 4, "int32", "int", "i32"),
    /** Unsigned 32-bit integer. */
    UINT32(3, 4, "uint32", "u32"),
    /** Signed 64-bit integer. */
    INT64(4, 8, "int64", "long", "i64"),
    /** Unsigned 64-bit integer. */
    UINT64(5, 8, "uint64", "u64"),
    /** IEEE 754 binary16. */
    FLOAT16(6, 2, "half", "float16", "fp16"),
    /** The upper half of a binary32: 8 exponent bits, 7 fraction bits. */
    BFLOAT16(9, 2, "bfloat16", "bf16"),
    /** IEEE 754 binary32. */
    FLOAT32(7, 4, "float", "float32", "fp32"),
    /** IEEE 754 binary64. */
    FLOAT64(8, 8, "double", "float64", "fp64"),
    /** OCP 8-bit float, 4 exponent bits, bias 7, no infinity, NaN is S.1111.111. */
    FLOAT8_E4M3(10, 1, "f8e4m3", "float8_e4m3", "float8_e4m3fn"),
    /** OCP 8-bit float, 5 exponent bits, bias 15, infinities and NaNs as in IEEE 754. */
    FLOAT8_E5M2(11, 1, "f8e5m2", "float8_e5m2");

    private static final DataType[] TYPES = values();

    private final int code;
    private final int size;
    private final String label;
    /** All names, separated by bars. */
    private final String names;

    DataType(final int code, final int size, final String label, final String... aliases) {
        this.code = code;
        this.size = size;
        this.label = label;
        this.names = label + "|" + String.join("|", aliases);
    }

    /**
     * A number that identifies this type between ranks, whatever their version: that of NCCL's
     * {@code ncclDataType_t}.
     *
     * @return the code, 0 to 11
     */
    public int code() {
        return code;
    }

    /**
     * The size of one element.
     *
     * @return the size in bytes: 1, 2, 4 or 8
     */
    public int size() {
        return size;
    }

    /**
     * The name that nccl-tests prints and accepts.
     *
     * @return the name, in lower case
     */
    public String label() {
        return label;
    }

    /**
     * Whether elements are integers without sign.
     *
     * @return true for UINT8, UINT32 and UINT64
     */
    public boolean isUnsigned() {
        return this == UINT8 || this == UINT32 || this == UINT64;
    }

    /**
     * Whether elements are floating point numbers.
     *
     * @return true for the types that have a NaN
     */
    public boolean isFloatingPoint() {
        return code >= FLOAT16.code;
    }

    /**
     * The type of a name, in any case: a {@linkplain #label() label}, a constant's name, or another
     * that is in use ({@code float32}, {@code bf16}, {@code float8_e4m3fn}, {@code long}, {@code i8}, ...).
     *
     * @param name the name
     * @return the type
     * @throws IllegalArgumentException if no type has this name; the message lists the legal ones
     */
    public static DataType parse(final String name) {
        final String key = name.strip().toLowerCase(Locale.ROOT);
        for (final DataType type : TYPES) {
            if (Arrays.asList(type.names.split("\\|", -1)).contains(key)) {
                return type;
            }
        }
        throw new IllegalArgumentException("unknown data type '" + name + "'; use one of " + legalNames());
    }

    private static String legalNames() {
        return Arrays.stream(TYPES).map(type -> type.names).collect(Collectors.joining(", "));
    }
}
