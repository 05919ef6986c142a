package org.chagres.bootstrap;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.chagres.net.Key;
import org.chagres.net.ProtocolException;

/**
 * All ranks of a world that is forming. On the wire: world id 16, then the introductions by rank.
 *
 * @param id random; with the secret it makes the key of the connections between ranks
 */
@SuppressWarnings("ArrayRecordComponent") // tables are never compared
record Table(byte[] id, List<Introduction> ranks) {
    private static final int ID_BYTES = 16;

    static Table of(final List<Introduction> ranks) {
        return new Table(Key.random(ID_BYTES), ranks);
    }

    byte[] encode() {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(id);
        ranks.forEach(rank -> out.writeBytes(rank.encode()));
        return out.toByteArray();
    }

    /** @param size how many ranks there must be */
    static Table decode(final byte[] bytes, final int size) throws ProtocolException {
        try {
            final ByteBuffer in = ByteBuffer.wrap(bytes);
            final byte[] id = new byte[ID_BYTES];
            in.get(id);
            final List<Introduction> ranks = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                ranks.add(Introduction.decode(rank, in));
            }
            if (in.hasRemaining()) {
                throw new ProtocolException("a table with " + in.remaining() + " bytes too many");
            }
            return new Table(id, List.copyOf(ranks));
        } catch (final BufferUnderflowException e) {
            throw Introduction.truncated(e);
        }
    }

    Introduction of(final int rank) {
        return ranks.get(rank);
    }

    int size() {
        return ranks.size();
    }

    /** How many hosts the ranks are on. */
    long hosts() {
        return ranks.stream().map(rank -> rank.peer().host()).distinct().count();
    }
}
