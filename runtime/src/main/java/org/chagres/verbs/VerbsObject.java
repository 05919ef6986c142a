package org.chagres.verbs;

/** Something that a device holds for this process until it is closed, by its user or with its parent. */
public interface VerbsObject extends AutoCloseable {
    /** Whether {@link #close} has begun: then every other method throws {@link IllegalStateException}. */
    boolean isClosed();

    /**
     * Gives the object back, its children first. Does nothing if closed already.
     *
     * @throws VerbsException if the device refuses, as it does while something else still uses the object; the message says what. The object then
     *     stays open.
     */
    @Override
    void close();
}
