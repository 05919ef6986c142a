package org.chagres.bench.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineForwarderTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final LineSink sink = new LineSink(out, new Object());

    private static ByteArrayInputStream input(final String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @CsvSource({"'', ''", "a|, [1] a|", "a, [1] a|", "a|b, [1] a|[1] b|", "||, [1] |[1] |" })
    void everyLineGetsThePrefixAndTheLastOneAnEnd(final String in, final String expected) {
        assertTrue(new LineForwarder(input(in.replace('|', '\n')), sink, "[1] ", null).run());
        assertEquals(expected.replace('|', '\n'), out.toString(StandardCharsets.ISO_8859_1));
    }

    @Test
    void bytesPassUnchangedHoweverTheyArrive() {
        final Random random = new Random(5);
        for (int trial = 0; trial < 50; trial++) {
            out.reset();
            final byte[] data = new byte[1 + random.nextInt(5000)];
            random.nextBytes(data);
            data[data.length - 1] = '\n';
            final InputStream drips = new ByteArrayInputStream(data) {
                @Override
                public synchronized int read(final byte[] to, final int offset, final int length) {
                    return super.read(to, offset, Math.min(length, 1 + random.nextInt(40)));
                }
            };
            assertTrue(new LineForwarder(drips, sink, "", null).run());
            assertArrayEquals(data, out.toByteArray());
        }
    }

    @Test
    void aLineWithoutEndIsBrokenAndNotKept() {
        final String endless = "x".repeat(3 * LineForwarder.MAX_LINE + 5);
        new LineForwarder(input(endless), sink, "", null).run();
        final List<Integer> lengths = out.toString(StandardCharsets.US_ASCII).lines().map(String::length).toList();
        assertEquals(List.of(LineForwarder.MAX_LINE, LineForwarder.MAX_LINE, LineForwarder.MAX_LINE, 5), lengths);
    }

    @Test
    void theFirstReadyLineIsHeardAndNotPassedOn() {
        final AtomicInteger heard = new AtomicInteger();
        final String text = "motd\n" + RankShell.READY + "\n" + RankShell.READY + "\n";
        new LineForwarder(input(text), sink, "", heard::incrementAndGet).run();
        assertEquals(1, heard.get());
        assertEquals("motd\n" + RankShell.READY + "\n", out.toString(StandardCharsets.US_ASCII));
    }

    @Test
    void aSinkThatTakesNoMoreIsReported() {
        final OutputStream closed = new OutputStream() {
            @Override
            public void write(final int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        assertFalse(new LineForwarder(input("a\n"), new LineSink(closed, this), "", null).run());
    }

    @Test
    void linesOfManyRanksDoNotMix() throws InterruptedException {
        final List<Thread> threads = new ArrayList<>();
        for (int rank = 0; rank < 8; rank++) {
            final String line = ("" + rank).repeat(50) + "\n";
            final LineForwarder forwarder = new LineForwarder(input(line.repeat(500)), sink, "[" + rank + "] ", null);
            threads.add(Thread.ofPlatform().start(forwarder::run));
        }
        for (final Thread thread : threads) {
            thread.join();
        }
        final List<String> lines = out.toString(StandardCharsets.US_ASCII).lines().toList();
        assertEquals(8 * 500, lines.size());
        for (final String line : lines) {
            assertTrue(line.matches("\\[(\\d)] \\1{50}"), line);
        }
    }
}
