package org.chagres.bench.verbs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.chagres.verbs.Device;
import org.chagres.verbs.DeviceAttributes;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.PortAttributes;

/** Devices as text: a line for each row of a GID table; what a port's lines have in common stands in its first. */
final class DevicesTable {
    private static final String UNKNOWN = "-";
    private static final int COLUMNS_OF_GID = 5;

    private DevicesTable() {
    }

    static List<String> lines(final List<DeviceReport> reports, final boolean verbose) {
        final TextTable table = new TextTable("device", "port", "state", "link", "MTU", "speed", "NUMA", "firmware",
                "node GUID", "GID", "type", "address", "scope", "netdev");
        reports.forEach(report -> addDevice(table, report));
        final List<String> lines = new ArrayList<>(table.lines());
        if (reports.stream()
                .flatMap(report -> report.ports().stream())
                .anyMatch(port -> port.preferred().isPresent())) {
            lines.add("* the GID that connections use unless told otherwise");
        }
        if (verbose) {
            reports.forEach(report -> lines.addAll(details(report)));
        }
        return lines;
    }

    private static void addDevice(final TextTable table, final DeviceReport report) {
        if (report.problem().isPresent()) {
            table.add(joined(
                    List.of(report.device().name(), UNKNOWN, "cannot be opened", UNKNOWN, UNKNOWN, UNKNOWN,
                            numa(report.device()), report.firmware(), guid(report.device().guid())),
                    noGid(report.device())));
        }
        report.ports().forEach(port -> addPort(table, report, port));
    }

    private static void addPort(final TextTable table, final DeviceReport report, final DeviceReport.Port port) {
        List<String> common = common(report, port.attributes());
        if (port.gids().isEmpty()) {
            table.add(joined(common, noGid(report.device())));
        }
        for (final GidEntry gid : port.gids()) {
            final boolean preferred = port.preferred().filter(gid::equals).isPresent();
            table.add(joined(common, gid(gid, preferred)));
            common = Collections.nCopies(common.size(), "");
        }
    }

    private static List<String> common(final DeviceReport report, final PortAttributes port) {
        return List.of(report.device().name(), String.valueOf(port.port()), port.state().name(),
                port.linkLayer().text(), String.valueOf(port.activeMtu().bytes()), speed(port), numa(report.device()),
                report.firmware(), guid(report.device().guid()));
    }

    private static List<String> gid(final GidEntry gid, final boolean preferred) {
        return List.of((preferred ? "*" : " ") + gid.index(), gid.type().text(), gid.gid().toString(),
                gid.scope().name().toLowerCase(Locale.ROOT), gid.networkDevice().orElse(UNKNOWN));
    }

    private static List<String> noGid(final Device device) {
        final List<String> cells = new ArrayList<>(Collections.nCopies(COLUMNS_OF_GID - 1, UNKNOWN));
        cells.add(device.networkDevices().isEmpty() ? UNKNOWN : String.join(",", device.networkDevices()));
        return cells;
    }

    private static List<String> joined(final List<String> left, final List<String> right) {
        final List<String> cells = new ArrayList<>(left);
        cells.addAll(right);
        return cells;
    }

    /** As {@code ibv_devinfo} writes it. */
    static String guid(final long guid) {
        final String hex = String.format(Locale.ROOT, "%016x", guid);
        return String.join(":", hex.substring(0, 4), hex.substring(4, 8), hex.substring(8, 12), hex.substring(12));
    }

    private static String numa(final Device device) {
        return device.numaNode().isPresent() ? String.valueOf(device.numaNode().getAsInt()) : UNKNOWN;
    }

    private static String speed(final PortAttributes port) {
        final double gigabits = port.gigabitsPerSecond();
        if (gigabits == 0) {
            return UNKNOWN;
        }
        return (gigabits == Math.rint(gigabits) ? String.valueOf((long) gigabits) : String.valueOf(gigabits)) + " Gb/s";
    }

    private static List<String> details(final DeviceReport report) {
        final List<String> lines = new ArrayList<>(List.of("", report.device().name() + ":"));
        report.problem().ifPresent(problem -> lines.add("  cannot be opened: " + problem));
        report.attributes().ifPresent(attributes -> lines.addAll(details(report.device(), attributes)));
        report.ports().forEach(port -> lines.add(details(port)));
        return lines;
    }

    private static List<String> details(final Device device, final DeviceAttributes a) {
        return List.of("  " + device.nodeType().text() + ", transport " + device.transport().text(),
                String.format(Locale.ROOT, "  vendor 0x%06x, part %d, hardware version 0x%x, system image GUID %s",
                        a.vendorId(), a.vendorPartId(), a.hardwareVersion(), guid(a.systemImageGuid())),
                "  at most: " + a.maxQp() + " queue pairs of " + a.maxQpWr() + " requests with " + a.maxSge()
                        + " entries (" + a.maxSgeRead() + " for reads), " + a.maxCq() + " completion queues of "
                        + a.maxCqe() + ", " + a.maxMr() + " regions of " + Long.toUnsignedString(a.maxMrSize())
                        + " bytes, " + a.maxPd() + " protection domains, " + a.maxAh() + " address handles",
                "  shared receive queues: " + a.maxSrq() + " of " + a.maxSrqWr() + " requests with " + a.maxSrqSge()
                        + " entries",
                "  reads and atomics in flight a queue pair: " + a.maxQpInitRdAtomic() + " out, " + a.maxQpRdAtomic()
                        + " in; atomics: " + a.atomics());
    }

    private static String details(final DeviceReport.Port port) {
        final PortAttributes p = port.attributes();
        return "  port " + p.port() + ": " + p.physicalStateText() + ", MTU " + p.activeMtu().bytes() + " of "
                + p.maxMtu().bytes() + ", " + p.lanes() + " lanes, LID " + p.lid() + ", subnet manager's "
                + p.smLid() + ", messages of up to " + p.maxMessageBytes() + " bytes, GID table of "
                + p.gidTableLength() + " rows, pkeys "
                + port.pkeys().stream().filter(k -> k != 0).map(k -> String.format(Locale.ROOT, "0x%04x", k)).toList();
    }
}
