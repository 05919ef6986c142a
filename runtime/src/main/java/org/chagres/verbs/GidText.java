package org.chagres.verbs;

/** The text form of an IPv6 address by RFC 5952: lower case, no leading zeros, the longest run of zero groups shortened. */
final class GidText {
    private static final int GROUPS = 8;

    private GidText() {
    }

    static String of(final long high, final long low) {
        int from = -1;
        int longest = 1; // a single zero group is not shortened
        for (int i = 0; i < GROUPS; i++) {
            final int run = zeros(high, low, i);
            if (run > longest) {
                from = i;
                longest = run;
            }
        }
        final StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < GROUPS; i++) {
            if (i == from) {
                text.append("::");
                i += longest - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(group(high, low, i)));
            }
        }
        return text.toString();
    }

    private static int zeros(final long high, final long low, final int from) {
        int n = 0;
        while (from + n < GROUPS && group(high, low, from + n) == 0) {
            n++;
        }
        return n;
    }

    private static int group(final long high, final long low, final int index) {
        final long half = index < 4 ? high : low;
        return (int) (half >>> 48 - 16 * (index & 3)) & 0xffff;
    }
}
