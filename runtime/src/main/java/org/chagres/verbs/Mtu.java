package org.chagres.verbs;

/** The largest payload of one packet on a path ({@code ibv_mtu}). */
public enum Mtu {
    MTU_256(1, 256), MTU_512(2, 512), MTU_1024(3, 1024), MTU_2048(4, 2048), MTU_4096(5, 4096);

    private final int code;
    private final int bytes;

    Mtu(final int code, final int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** The number on the wire and in {@code ibv_mtu}. */
    public int code() {
        return code;
    }

    /** The payload in bytes. */
    public int bytes() {
        return bytes;
    }

    /** The smaller of two: what a path between ports with these MTUs can carry. */
    public static Mtu min(final Mtu a, final Mtu b) {
        return a.bytes <= b.bytes ? a : b;
    }

    /**
     * The MTU with a number of {@code ibv_mtu}.
     *
     * @throws IllegalArgumentException for any other number
     */
    public static Mtu of(final int code) {
        for (final Mtu mtu : values()) {
            if (mtu.code == code) {
                return mtu;
            }
        }
        throw new IllegalArgumentException("no MTU has the number " + code + ": 1 (256 bytes) to 5 (4096 bytes) do");
    }

    /**
     * The MTU of so many bytes.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Mtu ofBytes(final int bytes) {
        for (final Mtu mtu : values()) {
            if (mtu.bytes == bytes) {
                return mtu;
            }
        }
        throw new IllegalArgumentException("no MTU has " + bytes + " bytes: 256, 512, 1024, 2048 and 4096 exist");
    }
}
