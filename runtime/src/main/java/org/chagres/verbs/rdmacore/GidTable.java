package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.chagres.bindings.Verbs;
import org.chagres.bindings.verbs.ibv_gid_entry;
import org.chagres.verbs.Device;
import org.chagres.verbs.Gid;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.GidType;

/** Reads the GID table of a port. */
final class GidTable {
    private GidTable() {
    }

    /**
     * The rows in use, by index.
     *
     * @param rows the length of the longest table of any port
     */
    static List<GidEntry> read(final long context, final Device device, final int ports, final int port,
            final int rows) {
        final long room = (long) ports * rows;
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment table = ibv_gid_entry.allocateArray(room, call);
            final long filled = Verbs.queryGidTable(context, table.address(), room);
            if (filled < 0) {
                throw Failures.of("the GID table of " + device.name(), "ibv_query_gid_table", (int) -filled);
            }
            final List<GidEntry> entries = new ArrayList<>();
            for (long i = 0; i < filled; i++) {
                final GidEntry entry = entry(ibv_gid_entry.asSlice(table, i));
                if (entry.port() == port) {
                    entries.add(entry);
                }
            }
            entries.sort(Comparator.comparingInt(GidEntry::index));
            return List.copyOf(entries);
        } catch (final UnsupportedOperationException tooOld) {
            return readOld(context, device, port, rows);
        }
    }

    private static GidEntry entry(final MemorySegment entry) {
        return new GidEntry(ibv_gid_entry.port_num(entry), ibv_gid_entry.gid_index(entry),
                Gid.read(ibv_gid_entry.gid(entry)),
                GidType.of(ibv_gid_entry.gid_type(entry)), interfaceName(ibv_gid_entry.ndev_ifindex(entry)));
    }

    private static Optional<String> interfaceName(final int index) {
        try {
            return index == 0
                    ? Optional.empty()
                    : Optional.ofNullable(NetworkInterface.getByIndex(index)).map(NetworkInterface::getName);
        } catch (final SocketException unreadable) {
            return Optional.empty();
        }
    }

    /** As programs did before rdma-core 32: the GID from the library, type and network device from the kernel's files. */
    private static List<GidEntry> readOld(final long context, final Device device, final int port, final int rows) {
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment bytes = call.allocate(Gid.BYTES, Long.BYTES);
            final List<GidEntry> entries = new ArrayList<>();
            for (int row = 0; row < rows; row++) {
                final int status = Verbs.queryGid(context, port, row, bytes.address());
                final Gid gid = Gid.read(bytes);
                if (status == 0 && !gid.isZero()) {
                    final String attributes = "ports/" + port + "/gid_attrs/";
                    entries.add(new GidEntry(port, row, gid,
                            type(Sysfs.attribute(device.name(), attributes + "types/" + row)),
                            Sysfs.attribute(device.name(), attributes + "ndevs/" + row)));
                }
            }
            return List.copyOf(entries);
        }
    }

    static GidType type(final Optional<String> text) {
        return switch (text.orElse("")) {
            case "IB/RoCE v1" -> GidType.ROCE_V1;
            case "RoCE v2" -> GidType.ROCE_V2;
            default -> GidType.INFINIBAND;
        };
    }
}
