package org.chagres.transport.fake;

import org.chagres.memory.Memory;
import org.chagres.verbs.PreparedSends;

/** A send request as it was posted: what is inline was read then, everything else is read when the wire takes it. */
final class FakeRequest {
    final long id;
    final int flags;
    final boolean hasImmediate;
    final int immediate;
    final long remote;
    final int remoteKey;
    final long[] from;
    final int[] keys;
    final int[] lengths;
    private byte[] inline;

    FakeRequest(final long id, final int flags, final boolean hasImmediate, final int immediate, final long remote,
            final int remoteKey,
            final long[] from, final int[] keys, final int[] lengths) {
        this.id = id;
        this.flags = flags;
        this.hasImmediate = hasImmediate;
        this.immediate = immediate;
        this.remote = remote;
        this.remoteKey = remoteKey;
        this.from = from;
        this.keys = keys;
        this.lengths = lengths;
    }

    boolean has(final int flag) {
        return (flags & flag) != 0;
    }

    int length() {
        int all = 0;
        for (final int length : lengths) {
            all += length;
        }
        return all;
    }

    /** What posting does: reads inline data. */
    void posted() {
        if (has(PreparedSends.INLINE)) {
            inline = read();
        }
    }

    /** The data, as the device reads them now. */
    byte[] data() {
        return inline != null ? inline : read();
    }

    private byte[] read() {
        final byte[] data = new byte[length()];
        int at = 0;
        for (int e = 0; e < from.length; e++) {
            for (int i = 0; i < lengths[e]; i++) {
                data[at] = Memory.ALL.get(java.lang.foreign.ValueLayout.JAVA_BYTE, from[e] + i);
                at++;
            }
        }
        return data;
    }
}
