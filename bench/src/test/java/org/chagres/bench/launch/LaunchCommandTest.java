package org.chagres.bench.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.chagres.bench.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class LaunchCommandTest {
    private static Job job(final String line, final Map<String, String> environment) {
        final LaunchCommand command = new LaunchCommand();
        new CommandLine(command).setStopAtPositional(true).parseArgs(line.split(" ", -1));
        return command.job(environment);
    }

    private static Map<String, String> ofRank(final Job job, final int rank) {
        return job.environment(job.placements().get(rank));
    }

    @Test
    void theProgramsOptionsAreItsOwn() {
        assertEquals(List.of("prog", "-n", "3", "--help"), job("-n 2 prog -n 3 --help", Map.of()).command());
        assertEquals(List.of("-odd", "--", "x"), job("-n 2 -- -odd -- x", Map.of()).command());
    }

    @Test
    void everyRankIsToldItsPlaceAndTheSameCoordinator() {
        final Job job = job("-n 5 --hosts h0,h1 x", Map.of());
        for (int rank = 0; rank < 5; rank++) {
            final Map<String, String> environment = ofRank(job, rank);
            assertEquals("" + rank, environment.get("RANK"));
            assertEquals("5", environment.get("WORLD_SIZE"));
            assertEquals("" + (rank < 3 ? rank : rank - 3), environment.get("LOCAL_RANK"));
            assertEquals(rank < 3 ? "3" : "2", environment.get("LOCAL_WORLD_SIZE"));
            assertEquals("h0", environment.get("MASTER_ADDR"));
            assertEquals("" + job.masterPort(), environment.get("MASTER_PORT"));
            assertEquals(job.world(), environment.get("CHAGRES_WORLD"));
            assertTrue(environment.get("CHAGRES_SECRET").matches("[0-9a-f]{64}"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"-n 2; 127.0.0.1", "-n 2 --hosts localhost; 127.0.0.1",
            "-n 2 --hosts u@h0,h1; h0", "-n 2 --hosts h0,localhost; h0",
            "-n 2 --hosts localhost,h1 --master-addr me; me", "-n 2 --master-addr 10.0.0.1; 10.0.0.1" })
    void rankZeroIsReachedWhereItRuns(final String line, final String address) {
        assertEquals(address, job(line + " x", Map.of()).masterAddress());
    }

    @Test
    void jobsDifferInNameAndSecret() {
        final Job one = job("-n 2 x", Map.of());
        final Job other = job("-n 2 x", Map.of());
        assertNotEquals(one.world(), other.world());
        assertNotEquals(one.secret(), other.secret());
        assertEquals(4242, job("-n 2 --master-port 4242 x", Map.of()).masterPort());
    }

    @Test
    void aSecretThatIsSetCounts(@TempDir final Path folder) throws IOException {
        final Path file = Files.writeString(folder.resolve("secret"), "from the file\n");
        final Map<String, String> set = Map.of("CHAGRES_SECRET", "set", "CHAGRES_SECRET_FILE", file.toString());
        assertEquals("set", job("-n 2 x", set).secret());
        assertEquals("from the file", job("-n 2 x", Map.of("CHAGRES_SECRET_FILE", file.toString())).secret());
        assertEquals("from the file", job("-n 2 --secret-file " + file + " x", set).secret());
        assertNull(job("-n 2 --secret-file none x", set).secret());
        assertFalse(ofRank(job("-n 2 --secret-file none x", set), 1).containsKey("CHAGRES_SECRET"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "one\ntwo\n", "tab\there" })
    void aSecretIsOneLineAndNeverShown(final String content, @TempDir final Path folder) throws IOException {
        final Path file = Files.writeString(folder.resolve("file"), content);
        final String message = assertThrows(UsageException.class,
                () -> job("-n 2 --secret-file " + file + " x", Map.of()))
                .getMessage();
        assertTrue(message.contains(file.toString()) && !message.contains("two"), message);
    }

    @Test
    void ranksElsewhereGetTheLibrarysSettingsAndAllGetWhatIsExported() {
        final Map<String, String> here = Map.of("CHAGRES_TIMEOUT", "9", "NCCL_ALGO", "ring", "CHAGRES_SSH", "my ssh",
                "HOME",
                "/h", "CHAGRES_WORLD", "old", "NCCLX", "no");
        final Job job = job("-n 2 --hosts h0,localhost -x HOME -x A=b=c x", here);
        final Map<String, String> there = ofRank(job, 0);
        assertEquals("9", there.get("CHAGRES_TIMEOUT"));
        assertEquals("ring", there.get("NCCL_ALGO"));
        assertEquals("b=c", there.get("A"));
        assertEquals("/h", there.get("HOME"));
        assertEquals(job.world(), there.get("CHAGRES_WORLD"));
        assertFalse(there.containsKey("CHAGRES_SSH") || there.containsKey("NCCLX"), there.toString());
        assertEquals("b=c", ofRank(job, 1).get("A"));
        assertEquals(List.of("my", "ssh"), job.ssh());
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"-n 0 x; -n 0", "-n 2 --master-port 0 x; 1..65535",
            "-n 2 --master-port 65536 x; 1..65535", "-n 2 --hosts localhost,h1 x; --master-addr",
            "-n 2 --secret-file /no/such x; /no/such", "-n 2 -x RANK=1 x; launch itself", "-n 2 -x A-B=1 x; A-B",
            "-n 2 -x NOT_SET x; NOT_SET" })
    void whatCannotBeIsRefused(final String line, final String named) {
        final String message = assertThrows(UsageException.class, () -> job(line, Map.of())).getMessage();
        assertTrue(message.contains(named), message);
    }

    @Test
    void aSettingOfSeveralLinesIsRefusedWhereItMustTravel() {
        final Map<String, String> environment = Map.of("NCCL_X", "a\nRANK=7");
        assertThrows(UsageException.class, () -> job("-n 2 --hosts h0,h1 x", environment));
        assertEquals(2, job("-n 2 x", environment).placements().size());
    }
}
