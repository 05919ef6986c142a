package org.chagres.transport.verbs.link;

/**
 * The 32 bits that come with a message, and all of it for most.
 *
 * <pre>
 * 31..29 kind
 * of the kinds that are ordered:  28..27 lane   26..19 order: the low bits of the message's number on the connection   18..0 what the kind says
 *   SIGNAL    18 generation   17..15 channel   14..0 how far the signal rises
 *   COMPLETE  18..0 how many operations more are completed
 *   DELIVER   18 generation; the message lies in the inbox, its header before it
 *   HEADER    the rest is in the header, in the slot that the order names
 *   BYE       the sender has closed its end in good order; nothing ordered follows
 * CREDIT: 28..0 the low bits of how many messages the sender has taken in
 * </pre>
 */
final class Immediate {
    static final int SIGNAL = 0;
    static final int COMPLETE = 1;
    static final int DELIVER = 2;
    static final int HEADER = 3;
    static final int BYE = 4;
    static final int CREDIT = 5;

    static final int MAX_LANES = 4;
    static final int MAX_CHANNELS = 8;
    /** Signals and completions that go further at once say so in a header. */
    static final long MAX_RISE = (1 << 15) - 1;
    static final long MAX_COMPLETED = (1 << 19) - 1;

    private static final int KIND_SHIFT = 29;
    private static final int LANE_SHIFT = 27;
    private static final int ORDER_SHIFT = 19;
    private static final int ORDER_MASK = 0xFF;
    private static final int GENERATION_SHIFT = 18;
    private static final int CHANNEL_SHIFT = 15;
    private static final int COUNT_MASK = (1 << KIND_SHIFT) - 1;

    private Immediate() {
    }

    /** An ordered message but for its order. */
    static int of(final int kind, final int lane) {
        return kind << KIND_SHIFT | lane << LANE_SHIFT;
    }

    static int signal(final int lane, final int generation, final int channel, final long rise) {
        return of(SIGNAL, lane) | generation << GENERATION_SHIFT | channel << CHANNEL_SHIFT | (int) rise;
    }

    static int complete(final int lane, final long more) {
        return of(COMPLETE, lane) | (int) more;
    }

    static int deliver(final int lane, final int generation) {
        return of(DELIVER, lane) | generation << GENERATION_SHIFT;
    }

    static int credit(final long count) {
        return CREDIT << KIND_SHIFT | (int) count & COUNT_MASK;
    }

    static int ordered(final int immediate, final long order) {
        return immediate | ((int) order & ORDER_MASK) << ORDER_SHIFT;
    }

    static int kind(final int immediate) {
        return immediate >>> KIND_SHIFT;
    }

    static int lane(final int immediate) {
        return immediate >>> LANE_SHIFT & MAX_LANES - 1;
    }

    static int generation(final int immediate) {
        return immediate >>> GENERATION_SHIFT & 1;
    }

    static int channel(final int immediate) {
        return immediate >>> CHANNEL_SHIFT & MAX_CHANNELS - 1;
    }

    static long rise(final int immediate) {
        return immediate & MAX_RISE;
    }

    static long completed(final int immediate) {
        return immediate & MAX_COMPLETED;
    }

    /** How many messages after number {@code expected} this one is, from its low bits; less than 256. */
    static int ahead(final int immediate, final long expected) {
        return (immediate >>> ORDER_SHIFT) - (int) expected & ORDER_MASK;
    }

    /** The count whose low bits a credit says, the first not below {@code last}. */
    static long count(final int immediate, final long last) {
        return last + (immediate - (int) last & COUNT_MASK);
    }
}
