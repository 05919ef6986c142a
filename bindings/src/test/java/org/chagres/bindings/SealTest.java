package org.chagres.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Generated sources are what jextract/generate made from the filters beside it: neither was edited since. */
final class SealTest {
    private static final String REMEDY = "run jextract/generate and commit its output; generated files are not edited";

    @Test
    void inputsAndOutputsAreSealed() throws IOException, NoSuchAlgorithmException {
        final Map<String, String> sealed = new TreeMap<>();
        for (final String line : Files.readAllLines(JextractInputs.FOLDER.resolve("sha256sums"))) {
            sealed.put(line.substring(66), line.substring(0, 64));
        }
        final Map<String, String> present = new TreeMap<>();
        try (Stream<Path> inputs = Files.list(JextractInputs.FOLDER);
                Stream<Path> outputs = Files.walk(Path.of("src", "generated", "java"))) {
            for (final Path file : Stream.concat(inputs.filter(SealTest::isInput), outputs.filter(Files::isRegularFile))
                    .toList()) {
                present.put(JextractInputs.FOLDER.toRealPath().relativize(file.toRealPath()).toString(), sha256(file));
            }
        }
        assertEquals(String.join("\n", lines(sealed)), String.join("\n", lines(present)), REMEDY);
    }

    private static Iterable<String> lines(final Map<String, String> sums) {
        return sums.entrySet().stream().map(entry -> entry.getValue() + " " + entry.getKey()).toList();
    }

    private static boolean isInput(final Path file) {
        final var name = file.getFileName().toString();
        return name.equals("generate") || name.endsWith(".h") || name.endsWith(".filter");
    }

    private static String sha256(final Path file) throws IOException, NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    }
}
