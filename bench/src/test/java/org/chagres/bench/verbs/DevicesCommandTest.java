package org.chagres.bench.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.chagres.bench.UsageException;
import org.chagres.verbs.AtomicCapability;
import org.chagres.verbs.Context;
import org.chagres.verbs.Device;
import org.chagres.verbs.DeviceAttributes;
import org.chagres.verbs.Gid;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.NodeType;
import org.chagres.verbs.PortAttributes;
import org.chagres.verbs.PortState;
import org.chagres.verbs.TransportType;
import org.chagres.verbs.VerbsException;
import org.junit.jupiter.api.Test;

class DevicesCommandTest {
    private static final Known MLX = new Known("mlx5_0", 0x0c42_a103_0012_3456L, OptionalInt.of(1));
    private static final Known BARRED = new Known("irdma0", 0, OptionalInt.empty());
    private static final DeviceAttributes LIMITS = new DeviceAttributes("28.39.1002", MLX.guid(), MLX.guid(), 0x2c9,
            4129, 0, 2, -1, -1, 131072, 32768, 30, 30, 1 << 24, 4194303, 1 << 24, 1 << 23, 16, 16,
            AtomicCapability.HCA, 0, 1 << 23, 32767, 31, 128, 16, 0);

    /** A device that nobody opens. */
    private record Known(String name, long guid, OptionalInt numaNode) implements Device {
        @Override
        public OptionalInt index() {
            return OptionalInt.empty();
        }

        @Override
        public NodeType nodeType() {
            return NodeType.CA;
        }

        @Override
        public TransportType transport() {
            return TransportType.INFINIBAND;
        }

        @Override
        public Optional<String> firmware() {
            return Optional.empty();
        }

        @Override
        public List<String> networkDevices() {
            return List.of("ens1f0");
        }

        @Override
        public Context open() {
            throw new VerbsException("cannot open " + name + ": no permission for /dev/infiniband/uverbs0");
        }
    }

    private static DeviceReport working() {
        final PortAttributes ethernet = new PortAttributes(1, PortState.ACTIVE, Mtu.MTU_4096, Mtu.MTU_1024, 255, 1,
                1 << 30, 0, 0, 0, LinkLayer.ETHERNET, 2, 64, 5, 0, false);
        final List<GidEntry> gids = List.of(
                new GidEntry(1, 0, Gid.parse("fe80::e42:a1ff:fe12:3456"), GidType.ROCE_V1, Optional.of("ens1f0")),
                new GidEntry(1, 3, Gid.parse("::ffff:10.1.2.3"), GidType.ROCE_V2, Optional.of("ens1f0")));
        final PortAttributes down = new PortAttributes(2, PortState.DOWN, Mtu.MTU_4096, Mtu.MTU_4096, 255, 1, 1 << 30,
                7, 1, 0, LinkLayer.INFINIBAND, 0, 0, 3, 0, false);
        return new DeviceReport(MLX, Optional.empty(), Optional.of(LIMITS),
                List.of(new DeviceReport.Port(ethernet, gids, GidEntry.preferred(gids), List.of(0xffff)),
                        new DeviceReport.Port(down, List.of(), Optional.empty(), List.of(0))));
    }

    @Test
    void aLineForEachGidAndThePortsDataOnce() {
        final List<String> lines = DevicesTable.lines(List.of(working(), DeviceReport.of(BARRED)), false);
        assertEquals(6, lines.size(), lines.toString());
        for (final String cell : List.of("mlx5_0", "ACTIVE", "Ethernet", "1024", "200 Gb/s", "28.39.1002",
                "0c42:a103:0012:3456", "RoCE v1", "fe80::e42:a1ff:fe12:3456", "link", "ens1f0")) {
            assertTrue(lines.get(1).contains(cell), cell + ": " + lines.get(1));
        }
        assertTrue(lines.get(2).isBlank() || lines.get(2).stripLeading().startsWith("*3 "), lines.get(2));
        assertEquals(lines.getFirst().indexOf("address"), lines.get(2).indexOf("::ffff:10.1.2.3"));
        assertTrue(lines.get(3).contains("DOWN"), lines.get(3));
        assertTrue(lines.get(4).startsWith("irdma0") && lines.get(4).contains("cannot be opened"), lines.get(4));
        assertTrue(lines.get(5).startsWith("* "), lines.get(5));
    }

    @Test
    void verboseAddsLimits() {
        final String text = String.join("\n", DevicesTable.lines(List.of(working(), DeviceReport.of(BARRED)), true));
        assertTrue(text.contains("131072 queue pairs of 32768 requests"), text);
        assertTrue(text.contains("regions of 18446744073709551615 bytes"), text);
        assertTrue(text.contains("pkeys [0xffff]"), text);
        assertTrue(text.contains("cannot be opened: cannot open irdma0"), text);
    }

    @Test
    void jsonHasAllOfIt() throws IOException {
        final StringWriter out = new StringWriter();
        assertEquals(0, DevicesCommand.print(List.of(working()), new PrintWriter(out), false, true));
        final List<Object> devices = JSON.std.listFrom(out.toString());
        final Map<?, ?> device = (Map<?, ?>) devices.getFirst();
        assertEquals("mlx5_0", device.get("device"));
        assertEquals(1, device.get("numa_node"));
        final List<?> ports = (List<?>) device.get("ports");
        final Map<?, ?> first = (Map<?, ?>) ports.getFirst();
        assertEquals(200.0, first.get("gbps"));
        final Map<?, ?> gid = (Map<?, ?>) ((List<?>) first.get("gids")).get(1);
        assertEquals("::ffff:10.1.2.3", gid.get("gid"));
        assertEquals(true, gid.get("preferred"));
        assertTrue(((Map<?, ?>) ports.get(1)).containsKey("gbps"));
    }

    @Test
    void aDeviceThatCannotBeOpenedIsShownAndAnError() {
        final StringWriter out = new StringWriter();
        final UsageException refused = assertThrows(UsageException.class,
                () -> DevicesCommand.print(List.of(working(), DeviceReport.of(BARRED)), new PrintWriter(out), false,
                        false));
        assertTrue(refused.getMessage().contains("/dev/infiniband/uverbs0"), refused.getMessage());
        assertTrue(out.toString().contains("mlx5_0") && out.toString().contains("irdma0"), out.toString());
    }

    @Test
    void anUnknownNameListsThoseThatExist() {
        final UsageException refused = assertThrows(UsageException.class,
                () -> Devices.named(List.of(MLX, BARRED), "mlx5_1"));
        assertTrue(refused.getMessage().contains("mlx5_1") && refused.getMessage().contains("mlx5_0, irdma0"),
                refused.getMessage());
        assertEquals(MLX, Devices.named(List.of(MLX, BARRED), null));
    }

    @Test
    void whereThereIsNoRdmaOneLineSaysSo() {
        assumeFalse(Files.exists(Path.of("/sys/class/infiniband")), "this machine has RDMA");
        final UsageException refused = assertThrows(UsageException.class, Devices::all);
        assertFalse(refused.getMessage().isBlank());
        assertEquals(1, refused.getMessage().lines().count(), refused.getMessage());
    }
}
