package org.chagres.bench.perf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.chagres.collectives.DataType;
import org.chagres.collectives.ReduceOp;
import org.chagres.collectives.plan.Collective;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir
    private Path folder;

    private static PerfOptions options(final Collective collective, final boolean percentiles) {
        return new PerfOptions(collective, 2, false, new Sizes(8, 16, 0, 2), List.of(DataType.FLOAT32),
                List.of(ReduceOp.SUM), List.of(0), OptionalLong.empty(), OptionalLong.empty(), 1, Average.AVERAGE,
                false, percentiles, false, null);
    }

    private static RowResult row(final Collective collective, final DataType type, final int root, final long size,
            final long wrong) {
        final Case row = Case.of(collective, type, ReduceOp.SUM, root, 2, size);
        final PlaceResult outOfPlace = new PlaceResult(1.5, 1.25, 9.75, 2.5, 3.5, wrong);
        return new RowResult(row, "one_shot", outOfPlace,
                row.hasInPlace() ? new PlaceResult(2.5, 2.25, 19.75, 4.5, 5.5, 0) : null);
    }

    private Object json(final PerfOptions options, final RowResult... rows) throws IOException {
        final Path file = folder.resolve("out.json");
        final JsonReport report = new JsonReport(file);
        report.start(options, "shm");
        List.of(rows).forEach(report::row);
        report.finish();
        return JSON.std.anyFrom(Files.readString(file));
    }

    @Test
    void jsonHasTheDocumentedShape() throws IOException {
        final Object json = json(options(Collective.ALL_REDUCE, false),
                row(Collective.ALL_REDUCE, DataType.FLOAT32, 0, 8, 0),
                row(Collective.ALL_REDUCE, DataType.FLOAT32, 0, 16, 3));
        final Map<?, ?> outOfPlace = Map.of("time_us", 1.5, "p50_us", 1.25, "p99_us", 9.75, "algbw", 2.5, "busbw", 3.5,
                "wrong", 0);
        final Map<?, ?> run = (Map<?, ?>) json;
        assertEquals(List.of("collective", "ranks", "transport", "type", "op", "rows", "avg_busbw"),
                List.copyOf(run.keySet()));
        assertEquals("all_reduce", run.get("collective"));
        assertEquals(2, run.get("ranks"));
        assertEquals("shm", run.get("transport"));
        assertEquals("float", run.get("type"));
        assertEquals("sum", run.get("op"));
        assertEquals(4.5, run.get("avg_busbw"));
        final List<?> rows = (List<?>) run.get("rows");
        assertEquals(2, rows.size());
        final Map<?, ?> first = (Map<?, ?>) rows.getFirst();
        assertEquals(List.of("size", "count", "algorithm", "out_of_place", "in_place"), List.copyOf(first.keySet()));
        assertEquals(8, first.get("size"));
        assertEquals(2, first.get("count"));
        assertEquals("one_shot", first.get("algorithm"));
        assertEquals(outOfPlace, first.get("out_of_place"));
        assertEquals(3, ((Map<?, ?>) ((Map<?, ?>) rows.getLast()).get("out_of_place")).get("wrong"));
    }

    @Test
    void severalTypesMakeAnArray() throws IOException {
        final List<?> json = (List<?>) json(options(Collective.BROADCAST, false),
                row(Collective.BROADCAST, DataType.INT8, 0, 8, 0), row(Collective.BROADCAST, DataType.INT8, 1, 8, 0),
                row(Collective.BROADCAST, DataType.FLOAT64, 0, 8, 0));
        assertEquals(3, json.size());
        assertEquals(1, ((Map<?, ?>) json.get(1)).get("root"));
        assertEquals("double", ((Map<?, ?>) json.get(2)).get("type"));
    }

    @Test
    void whatWasNotMeasuredIsNull() throws IOException {
        final Map<?, ?> json = (Map<?, ?>) json(options(Collective.ALL_TO_ALL, false),
                row(Collective.ALL_TO_ALL, DataType.INT8, 0, 8, -1));
        final Map<?, ?> row = (Map<?, ?>) ((List<?>) json.get("rows")).getFirst();
        assertTrue(row.containsKey("in_place"));
        assertNull(row.get("in_place"));
        assertNull(((Map<?, ?>) row.get("out_of_place")).get("wrong"));
    }

    private static List<String> table(final PerfOptions options, final RowResult... rows) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final TableReport report = new TableReport(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        report.start(options, "shm");
        List.of(rows).forEach(report::row);
        report.finish();
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /** Scripts that read nccl-tests' output take these columns by position. */
    @Test
    void rowsHaveTheColumnsOfNcclTestsFirst() {
        final List<String> lines = table(options(Collective.ALL_REDUCE, true),
                row(Collective.ALL_REDUCE, DataType.FLOAT32, 0, 8, 2));
        final List<String> row = lines.stream().filter(line -> !line.startsWith("#")).toList();
        assertEquals(1, row.size());
        assertEquals(
                List.of("8", "2", "float", "sum", "-1", "1.50", "2.50", "3.50", "2", "2.50", "4.50", "5.50", "0",
                        "1.25", "9.75", "2.25", "19.75", "one_shot"),
                List.of(row.getFirst().strip().split("\\s+", -1)));
        assertTrue(lines.contains("# Out of bounds values : 1 FAILED"), lines.toString());
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("# Avg bus bandwidth    : 4.5")), lines.toString());
    }

    @Test
    void whatDoesNotExistIsNotAvailable() {
        final List<String> lines = table(options(Collective.SEND_RECV, false),
                row(Collective.SEND_RECV, DataType.FLOAT32, 0, 8, -1));
        final String row = lines.stream().filter(line -> !line.startsWith("#")).findFirst().orElseThrow();
        assertEquals(5, row.split("N/A", -1).length - 1, row);
    }

    @Test
    void numbersFitTheirColumns() {
        assertEquals("0.25", TableReport.number(0.25, 7));
        assertEquals("1234.50", TableReport.number(1234.5, 7));
        assertEquals("12345.6", TableReport.number(12345.6, 7));
        assertEquals("1234568", TableReport.number(1234567.8, 7));
        assertEquals("1e+08", TableReport.number(123456789, 7));
    }
}
