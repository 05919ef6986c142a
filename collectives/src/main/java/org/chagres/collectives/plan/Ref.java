package org.chagres.collectives.plan;

/**
 * A place in a buffer.
 *
 * @param space the buffer
 * @param offset where in it, in elements, from 0
 */
public record Ref(Space space, long offset) {
    public static Ref send(final long offset) {
        return new Ref(Space.SEND, offset);
    }

    public static Ref recv(final long offset) {
        return new Ref(Space.RECV, offset);
    }

    public static Ref scratch(final long offset) {
        return new Ref(Space.SCRATCH, offset);
    }

    @Override
    public String toString() {
        return space.name().toLowerCase(java.util.Locale.ROOT) + "+" + offset;
    }
}
