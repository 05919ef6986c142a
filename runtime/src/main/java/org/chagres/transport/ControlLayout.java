package org.chagres.transport;

/**
 * How one lane of a rank's control region is laid out for links over shared memory. A lane is a set of links, one to each peer, with its own
 * sequence of operations. Places that different ranks write are at least {@value #SPACING} bytes apart, so that no two writers share a cache line
 * or a pair of lines that is fetched together.
 *
 * <pre>
 * base + s * stride   for rank s: completed (written here, read there); then written by s, for each of two generations:
 *                     signals (one line each; the first also carries the announcement), inbox line, inbox bulk
 * scratch             2 generations
 * </pre>
 *
 * @param base where the lane starts in the region
 * @param size ranks of the communicator
 * @param channels signals that each peer may raise
 * @param inboxBytes the largest inbox message, a multiple of {@value #SPACING}
 * @param scratchBytes one generation of scratch
 */
public record ControlLayout(long base, int size, int channels, long inboxBytes, long scratchBytes) {
    static final long SPACING = 128;
    private static final long PAGE = 4096;

    /** Where the lane ends in the region. */
    public long end() {
        return scratch(0) + Link.GENERATIONS * scratchBytes;
    }

    long completed(final int source) {
        return source(source);
    }

    long signals(final int source, final long sequence) {
        return source(source) + SPACING + (sequence & 1) * generation();
    }

    long inboxLine(final int source, final long sequence) {
        return signals(source, sequence) + channels * SPACING;
    }

    /** Where messages of {@code source} that do not fit a line lie; the line is directly before. */
    public long inboxBulk(final int source, final long sequence) {
        return inboxLine(source, sequence) + Inbox.LINE_BYTES;
    }

    /** Where the scratch generation of operation {@code sequence} starts in the region; on pages apart from everything else. */
    public long scratch(final long sequence) {
        return (source(size) + PAGE - 1 & -PAGE) + (sequence & 1) * scratchBytes;
    }

    private long generation() {
        return channels * SPACING + Inbox.LINE_BYTES + bulk();
    }

    /** Whole lines, so that what follows has lines of its own. */
    private long bulk() {
        return (inboxBytes + SPACING - 1) / SPACING * SPACING;
    }

    private long source(final int source) {
        return base + source * (SPACING + Link.GENERATIONS * generation());
    }
}
