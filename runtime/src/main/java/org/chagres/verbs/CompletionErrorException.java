package org.chagres.verbs;

import java.io.Serial;

/** A request failed; see {@link Completion#orThrow}. */
public final class CompletionErrorException extends VerbsException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Completion.Failure completion;

    /** The failure of a request. */
    public CompletionErrorException(final Completion.Failure completion) {
        super(completion.describe());
        this.completion = completion;
    }

    /** How the request ended. */
    public Completion.Failure completion() {
        return completion;
    }
}
