package org.chagres.collectives.proof;

/** Thrown when plans are refused: it says which rank's step breaks which rule. */
public final class ProofException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Place place;
    private final String reason;

    ProofException(final Place place, final String reason) {
        super(place + ": " + reason);
        this.place = place;
        this.reason = reason;
    }

    /** The step that breaks the rule. */
    public Place place() {
        return place;
    }

    /** The rule and how it is broken, without the place. */
    public String reason() {
        return reason;
    }
}
