package org.chagres.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** NCCL's syntax of {@code NCCL_IB_HCA}; its user guide gives the first three examples. */
class DeviceFilterTest {
    private static final List<PortName> HOST = List.of(port("mlx5_0:1"), port("mlx5_0:2"), port("mlx5_1:1"),
            port("mlx5_10:1"), port("bnxt_re0:1"));

    private static PortName port(final String text) {
        return PortName.parse(text);
    }

    private static DeviceFilter filter(final String setting) {
        return DeviceFilter.parse(new Asked<>("NCCL_IB_HCA=" + setting, setting));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"mlx5 | mlx5_0:1 mlx5_0:2 mlx5_1:1 mlx5_10:1",
            "=mlx5_0:1,mlx5_1:1 | mlx5_0:1 mlx5_1:1",
            "^=mlx5_1,mlx5_10 | mlx5_0:1 mlx5_0:2 bnxt_re0:1", "mlx5_1 | mlx5_1:1 mlx5_10:1", "=mlx5_1 | mlx5_1:1",
            "^mlx5_1 | mlx5_0:1 mlx5_0:2 bnxt_re0:1",
            "mlx5:2 | mlx5_0:2", "mlx5_0:2,bnxt | mlx5_0:2 bnxt_re0:1", "^mlx5:1 | mlx5_0:2 bnxt_re0:1",
            "^=mlx5_0:2 | mlx5_0:1 mlx5_1:1 mlx5_10:1 bnxt_re0:1",
            "' mlx5_0 : 1 , bnxt ' | mlx5_0:1 bnxt_re0:1", "mlx5_0,,bnxt, | mlx5_0:1 mlx5_0:2 bnxt_re0:1" })
    void selectsAsNcclDoes(final String setting, final String expected) {
        final DeviceFilter filter = filter(setting.strip());
        assertEquals(Arrays.stream(expected.split(" ", -1)).map(PortName::parse).toList(),
                HOST.stream().filter(filter::accepts).toList());
        assertEquals(List.of(), filter.check(HOST));
        for (final PortName one : HOST) {
            assertTrue(filter.mayAccept(one.device()) || !filter.accepts(one), one + " would not be looked at");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mlx4", "=mlx5", "=mlx5_0:3", "mlx5:3", "mlx5_0,mlx5_8", "MLX5", "=bnxt_re0:2,mlx5_0" })
    void aNameThatMatchesNothingListsWhatThereIs(final String setting) {
        final String message = assertThrows(IllegalArgumentException.class, () -> filter(setting).check(HOST))
                .getMessage();
        assertTrue(message.startsWith("NCCL_IB_HCA=" + setting + ": no port matches ")
                && message.contains("this host has mlx5_0:1, mlx5_0:2, mlx5_1:1, mlx5_10:1, bnxt_re0:1"), message);
    }

    @Test
    void excludingWhatIsNotThereIsANote() {
        final List<String> notes = filter("^mlx4,mlx5_1").check(HOST);
        assertEquals(1, notes.size());
        assertTrue(notes.getFirst().startsWith("NCCL_IB_HCA=^mlx4,mlx5_1 excludes mlx4, which is not there"),
                notes.getFirst());
    }
}
