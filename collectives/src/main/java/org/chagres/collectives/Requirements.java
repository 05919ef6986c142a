package org.chagres.collectives;

/** What the JVM must allow; checked once, so that a missing flag is one clear message. */
final class Requirements {
    private Requirements() {
    }

    static void check() {
        if (!Requirements.class.getModule().isNativeAccessEnabled()) {
            final String module = Requirements.class.getModule().isNamed()
                    ? "org.chagres.collectives,org.chagres.runtime,org.chagres.bindings"
                    : "ALL-UNNAMED";
            throw new IllegalStateException(
                    "Chagres maps shared memory through the Foreign Function and Memory API: start the JVM with"
                            + " --enable-native-access=" + module);
        }
    }
}
