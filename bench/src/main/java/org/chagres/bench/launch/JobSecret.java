package org.chagres.bench.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import org.chagres.bench.UsageException;

/** The secret by which the ranks of a job know each other. */
final class JobSecret {
    static final String VARIABLE = "CHAGRES_SECRET";
    static final String FILE_VARIABLE = "CHAGRES_SECRET_FILE";
    /** As a choice: the job has no secret. */
    static final String NONE = "none";
    private static final int BYTES = 32;

    private JobSecret() {
    }

    /**
     * The job's secret, or null for none: what {@code choice} says, else what the environment sets, else a new one.
     *
     * @param choice a file, {@link #NONE}, or null
     */
    static String of(final String choice, final Map<String, String> environment) {
        if (choice != null) {
            return choice.equals(NONE) ? null : read("--secret-file", choice);
        }
        final String set = environment.get(VARIABLE);
        if (set != null && !set.isBlank()) {
            return checked(VARIABLE, set);
        }
        final String file = environment.get(FILE_VARIABLE);
        return file != null && !file.isBlank() ? read(FILE_VARIABLE, file) : random();
    }

    private static String random() {
        final byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String read(final String source, final String file) {
        try {
            return checked(source + " " + file, Files.readString(Path.of(file)).strip());
        } catch (final IOException e) {
            throw new UsageException(
                    source + " " + file + " cannot be read as text: name a file that holds the secret, or use none", e);
        }
    }

    /** The secret itself never appears in a message. */
    private static String checked(final String source, final String secret) {
        if (secret.isEmpty() || secret.chars().anyMatch(c -> c < ' ')) {
            throw new UsageException(source + " does not hold one line of text: that is what a secret must be");
        }
        return secret;
    }
}
