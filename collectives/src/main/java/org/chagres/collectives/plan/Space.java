package org.chagres.collectives.plan;

/** A named buffer of a rank that the steps of a {@link Plan} address. */
public enum Space {
    /** The caller's input; never written. */
    SEND,
    /** The caller's output. In place it overlaps {@link #SEND} exactly as {@link Shape#inPlaceOffset} says. */
    RECV,
    /** Memory of the communicator that peers may write into; its contents do not outlive the run. */
    SCRATCH
}
