package org.chagres.collectives;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.chagres.bootstrap.Membership;
import org.chagres.bootstrap.Peer;

/**
 * Why a communicator cannot be used any more, in a form that ranks can tell each other.
 *
 * @param rank the rank that failed, or else the one that found it, by the communicator's numbers
 * @param text for a person
 */
record Breakdown(Kind kind, int rank, String text) {
    private static final List<Kind> KINDS = List.of(Kind.values());
    /** Enough for any explanation, and little enough to send to everyone at once. */
    private static final int MAX_TEXT = 1 << 14;

    /** The exceptions that end a communicator. The order is part of the message's form. */
    enum Kind {
        PEER_FAILED, MISMATCH, TIMEOUT, ABORTED
    }

    /** What a rank met. */
    static Breakdown of(final RuntimeException met, final int self) {
        final String text = String.valueOf(met.getMessage());
        return switch (met) {
            case final PeerFailedException e -> new Breakdown(Kind.PEER_FAILED, e.rank(), text);
            case final CollectiveMismatchException _ -> new Breakdown(Kind.MISMATCH, self, text);
            case final CollectiveTimeoutException _ -> new Breakdown(Kind.TIMEOUT, self, text);
            case final CommunicatorAbortedException _ -> new Breakdown(Kind.ABORTED, self, text);
            default -> new Breakdown(Kind.ABORTED, self, "rank " + self + " ended an operation by an error: " + met);
        };
    }

    /** As an exception for this rank, which adds where it was. */
    RuntimeException exception(final Membership membership, final String place, final Throwable cause) {
        final String message = text + "; " + place;
        return switch (kind) {
            case PEER_FAILED -> new PeerFailedException(rank, membership.peer(rank), message, cause);
            case MISMATCH -> new CollectiveMismatchException(message, cause);
            case TIMEOUT -> new CollectiveTimeoutException(message, cause);
            case ABORTED -> new CommunicatorAbortedException(message, cause);
        };
    }

    /** What a later operation throws: the same kind of exception, with the first as its cause. */
    static RuntimeException again(final RuntimeException first) {
        final String message = "the communicator cannot be used after an operation failed: " + first.getMessage();
        return switch (first) {
            case final PeerFailedException e -> e.again(message);
            case final CollectiveMismatchException e -> new CollectiveMismatchException(message, e);
            case final CollectiveTimeoutException e -> new CollectiveTimeoutException(message, e);
            default -> new CommunicatorAbortedException(message, first);
        };
    }

    /** For messages: which rank of the communicator it is, where it runs, and its rank in the world if that is another. */
    static String describe(final int rank, final Peer peer) {
        return "rank " + rank + " (" + (peer.rank() == rank ? "" : "rank " + peer.rank() + " of the world, ") + "host "
                + peer.hostName() + ", process " + peer.pid() + ")";
    }

    byte[] encode() {
        final byte[] words = text.substring(0, Math.min(text.length(), MAX_TEXT)).getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + Integer.BYTES + words.length)
                .put((byte) KINDS.indexOf(kind))
                .putInt(rank)
                .put(words)
                .array();
    }

    static Breakdown decode(final byte[] bytes) {
        final ByteBuffer in = ByteBuffer.wrap(bytes);
        final Kind kind = KINDS.get(in.get());
        final int rank = in.getInt();
        return new Breakdown(kind, rank, StandardCharsets.UTF_8.decode(in).toString());
    }
}
