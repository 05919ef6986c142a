package org.chagres.verbs.rdmacore;

import org.chagres.verbs.VerbsObject;

/** Objects that come in through the interfaces: they must be of this provider, open, and belong together. */
final class Family {
    private Family() {
    }

    /** {@code object} as what it is here. */
    static <T extends NativeObject> T member(final VerbsObject object, final Class<T> type, final String name) {
        if (!type.isInstance(object)) {
            throw new IllegalArgumentException(
                    object == null ? "the " + name + " is null" : object + " is a " + name + " of another provider");
        }
        final T member = type.cast(object);
        member.checkOpen();
        return member;
    }

    /** Refuses an object of another context. */
    static void same(final NativeObject object, final NativeContext its, final NativeContext wanted) {
        if (its != wanted) {
            throw new IllegalArgumentException(
                    object + " belongs to another " + its + " than this one: make it from the same context");
        }
    }
}
