package org.chagres.collectives;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.chagres.bootstrap.JoinException;

/** How values become bytes for a control message, and values again. */
final class Parcel {
    private Parcel() {
    }

    /** Writes a value. */
    @FunctionalInterface
    interface Writer {
        void write(DataOutputStream out) throws IOException;
    }

    /** Reads a value. */
    @FunctionalInterface
    interface Reader<T> {
        T read(DataInputStream in) throws IOException;
    }

    static byte[] of(final Writer writer) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            writer.write(new DataOutputStream(bytes));
        } catch (final IOException e) {
            throw new IllegalStateException("memory cannot be written to", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads what a rank sent.
     *
     * @throws JoinException if it makes no sense
     */
    static <T> T open(final byte[] bytes, final Reader<T> reader) {
        try {
            return reader.read(new DataInputStream(new ByteArrayInputStream(bytes)));
        } catch (final IOException | IllegalArgumentException e) {
            throw new JoinException(
                    "what a rank tells of itself makes no sense (" + e + "): run the same Chagres on all ranks", e);
        }
    }

    static void writeText(final DataOutputStream out, final String text) throws IOException {
        writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    }

    static String readText(final DataInputStream in) throws IOException {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    static void writeOptional(final DataOutputStream out, final Optional<String> text) throws IOException {
        out.writeBoolean(text.isPresent());
        if (text.isPresent()) {
            writeText(out, text.get());
        }
    }

    static Optional<String> readOptional(final DataInputStream in) throws IOException {
        return in.readBoolean() ? Optional.of(readText(in)) : Optional.empty();
    }

    static void writeBytes(final DataOutputStream out, final byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    static byte[] readBytes(final DataInputStream in) throws IOException {
        final int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("a length of " + length + " where " + in.available() + " bytes are left");
        }
        return in.readNBytes(length);
    }
}
