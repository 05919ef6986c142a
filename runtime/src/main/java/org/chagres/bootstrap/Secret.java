package org.chagres.bootstrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Set;
import org.chagres.net.Key;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the ranks of a job know and strangers do not.
 *
 * @param key with which a rank proves it; one that everybody has if there is no secret
 * @param set whether there is one
 */
record Secret(Key key, boolean set) {
    static final String VARIABLE = "CHAGRES_SECRET";
    static final String FILE_VARIABLE = "CHAGRES_SECRET_FILE";
    static final String REQUIRE_VARIABLE = "CHAGRES_REQUIRE_SECRET";
    private static final Logger LOG = LoggerFactory.getLogger(Secret.class);

    /**
     * The secret of the environment.
     *
     * @throws IllegalArgumentException if it is set twice, or empty, or its file cannot be read, or it is required and absent
     */
    static Secret of(final Map<String, String> environment) {
        final String text = environment.get(VARIABLE);
        final String file = environment.get(FILE_VARIABLE);
        if (text != null && file != null) {
            throw new IllegalArgumentException(VARIABLE + " and " + FILE_VARIABLE + " are both set: set one of them");
        }
        if (text != null) {
            return of(VARIABLE, text);
        }
        if (file != null) {
            return of(FILE_VARIABLE + "=" + file, read(file));
        }
        if (required(environment)) {
            throw new IllegalArgumentException(REQUIRE_VARIABLE + "=1 and there is no secret: set " + VARIABLE + " or "
                    + FILE_VARIABLE + " to the same on all ranks");
        }
        return new Secret(Key.of(new byte[0]), false);
    }

    private static Secret of(final String where, final String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException(where + " is empty: give it a secret, or unset it");
        }
        return new Secret(Key.of(text.strip().getBytes(StandardCharsets.UTF_8)), true);
    }

    private static String read(final String file) {
        try {
            final Path path = Path.of(file);
            final Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
            if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
                LOG.warn("{}={} is readable by everybody on this host: chmod o-r {}", FILE_VARIABLE, file, file);
            }
            return Files.readString(path);
        } catch (final IOException e) {
            throw new IllegalArgumentException(FILE_VARIABLE + "=" + file + " cannot be read: " + e, e);
        }
    }

    private static boolean required(final Map<String, String> environment) {
        final String value = environment.getOrDefault(REQUIRE_VARIABLE, "0").strip();
        return switch (value) {
            case "1", "true" -> true;
            case "0", "false", "" -> false;
            default -> throw new IllegalArgumentException(REQUIRE_VARIABLE + "=" + value + ": it must be 0 or 1");
        };
    }
}
