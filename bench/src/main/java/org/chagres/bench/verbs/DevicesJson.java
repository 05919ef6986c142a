package org.chagres.bench.verbs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.chagres.verbs.DeviceAttributes;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.PortAttributes;

/**
 * Devices as maps: {@code [{"device","node_guid","node_type","transport","firmware","numa_node","netdevs":[...],"error","limits":{...},"ports":[{"port",
 * "state","physical_state","link_layer","active_mtu","max_mtu","gbps","lid","sm_lid","max_message_bytes","pkeys":[...],"gids":[{"index","gid","type",
 * "scope","netdev","preferred"}]}]}]}. What is unknown is null; {@code error} is null where the device can be opened.
 */
final class DevicesJson {

    private DevicesJson() {
    }

    static List<Map<String, Object>> of(final List<DeviceReport> reports) {
        return reports.stream().map(DevicesJson::of).toList();
    }

    private static Map<String, Object> of(final DeviceReport report) {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("device", report.device().name());
        json.put("node_guid", DevicesTable.guid(report.device().guid()));
        json.put("node_type", report.device().nodeType().text());
        json.put("transport", report.device().transport().text());
        json.put("firmware", report.firmware());
        json.put("numa_node",
                report.device().numaNode().isPresent() ? report.device().numaNode().getAsInt() : null);
        json.put("netdevs", report.device().networkDevices());
        json.put("error", report.problem().orElse(null));
        json.put("limits", report.attributes().map(DevicesJson::limits).orElse(null));
        json.put("ports", report.ports().stream().map(DevicesJson::of).toList());
        return json;
    }

    private static Map<String, Object> limits(final DeviceAttributes a) {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("max_qp", a.maxQp());
        json.put("max_qp_wr", a.maxQpWr());
        json.put("max_sge", a.maxSge());
        json.put("max_sge_rd", a.maxSgeRead());
        json.put("max_cq", a.maxCq());
        json.put("max_cqe", a.maxCqe());
        json.put("max_mr", a.maxMr());
        json.put("max_mr_size", Long.toUnsignedString(a.maxMrSize()));
        json.put("max_pd", a.maxPd());
        json.put("max_ah", a.maxAh());
        json.put("max_srq", a.maxSrq());
        json.put("max_srq_wr", a.maxSrqWr());
        json.put("max_srq_sge", a.maxSrqSge());
        json.put("max_qp_rd_atom", a.maxQpRdAtomic());
        json.put("max_qp_init_rd_atom", a.maxQpInitRdAtomic());
        json.put("atomic_cap", a.atomics().name().toLowerCase(Locale.ROOT));
        return json;
    }

    private static Map<String, Object> of(final DeviceReport.Port port) {
        final PortAttributes p = port.attributes();
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("port", p.port());
        json.put("state", p.state().name());
        json.put("physical_state", p.physicalStateText());
        json.put("link_layer", p.linkLayer().text());
        json.put("active_mtu", p.activeMtu().bytes());
        json.put("max_mtu", p.maxMtu().bytes());
        json.put("gbps", p.gigabitsPerSecond() == 0 ? null : p.gigabitsPerSecond());
        json.put("lid", p.lid());
        json.put("sm_lid", p.smLid());
        json.put("max_message_bytes", p.maxMessageBytes());
        json.put("pkeys", port.pkeys());
        json.put("gids",
                port.gids().stream().map(gid -> of(gid, port.preferred().filter(gid::equals).isPresent())).toList());
        return json;
    }

    private static Map<String, Object> of(final GidEntry gid, final boolean preferred) {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("index", gid.index());
        json.put("gid", gid.gid().toString());
        json.put("type", gid.type().text());
        json.put("scope", gid.scope().name().toLowerCase(Locale.ROOT));
        json.put("netdev", gid.networkDevice().orElse(null));
        json.put("preferred", preferred);
        return json;
    }
}
