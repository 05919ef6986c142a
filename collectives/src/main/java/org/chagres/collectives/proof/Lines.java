package org.chagres.collectives.proof;

/** The signals between all pairs of ranks on all channels. */
final class Lines {
    private final int size;
    private final int channels;
    private final Line[] lines;

    Lines(final int size, final int channels) {
        this.size = size;
        this.channels = channels;
        lines = new Line[size * size * channels];
    }

    Line get(final int source, final int destination, final int channel) {
        final int index = (source * size + destination) * channels + channel;
        if (lines[index] == null) {
            lines[index] = new Line();
        }
        return lines[index];
    }

    /** Refuses signals that nobody awaited. */
    void checkMatched() {
        for (int i = 0; i < lines.length; i++) {
            if (lines[i] != null) {
                lines[i].checkMatched(i / channels % size);
            }
        }
    }
}
