package org.chagres.transport.verbs;

/**
 * A possible cause of a failure.
 *
 * @param what it may be
 * @param remedy what to do about it
 */
record Cause(String what, String remedy) {
    @Override
    public String toString() {
        return what + ": " + remedy;
    }
}
