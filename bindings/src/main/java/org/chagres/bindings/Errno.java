package org.chagres.bindings;

/** Error numbers of Linux. */
final class Errno {
    private Errno() {
    }

    static String name(final int errno) {
        return "errno " + errno;
    }

    static String message(final int errno) {
        return "see errno(3)";
    }
}
