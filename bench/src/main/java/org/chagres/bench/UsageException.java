package org.chagres.bench;

/**
 * The person who called the tool can put this right: reported as one line, exit code {@link ExitCode#USAGE}. The message names the value, the
 * rule and the remedy.
 */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(final String message) {
        super(message);
    }

    public UsageException(final String message, final Throwable cause) {
        super(message, cause);
    }
}
