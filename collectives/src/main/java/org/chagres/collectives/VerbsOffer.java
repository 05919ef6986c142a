package org.chagres.collectives;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Whether a rank has a device by which it can be reached over verbs.
 *
 * @param problem why not; empty if it has
 * @param numaNode of its process; empty if unknown
 */
record VerbsOffer(Optional<String> problem, OptionalInt numaNode) {
    private static final int UNKNOWN = -1;
    /** Of a rank that has no use for verbs. */
    static final VerbsOffer NONE = new VerbsOffer(Optional.of("it has no use for verbs"), OptionalInt.empty());

    boolean usable() {
        return problem.isEmpty();
    }

    byte[] encode() {
        return Parcel.of(out -> {
            Parcel.writeOptional(out, problem);
            out.writeInt(numaNode.orElse(UNKNOWN));
        });
    }

    static VerbsOffer decode(final byte[] bytes) {
        return Parcel.open(bytes, in -> {
            final Optional<String> problem = Parcel.readOptional(in);
            final int node = in.readInt();
            return new VerbsOffer(problem, node == UNKNOWN ? OptionalInt.empty() : OptionalInt.of(node));
        });
    }
}
