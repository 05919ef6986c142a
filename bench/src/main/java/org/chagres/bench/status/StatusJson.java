package org.chagres.bench.status;

import java.util.LinkedHashMap;
import java.util.Map;
import org.chagres.collectives.exec.Fingerprint;
import org.chagres.collectives.planner.Planners;
import org.chagres.collectives.record.ProcessStatus;
import org.chagres.collectives.record.ProcessStatus.CommunicatorStatus;
import org.chagres.collectives.record.ProcessStatus.OperationStatus;

/** A status as maps: {@code {"pid","host","communicators":[{"id","rank","size","begun","finished","waiting_s","waits_for","broken","last":[...]}]}}. */
final class StatusJson {

    private StatusJson() {
    }

    static Map<String, Object> of(final ProcessStatus process) {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("pid", process.pid());
        json.put("host", process.hostName());
        json.put("communicators", process.communicators().stream().map(StatusJson::of).toList());
        return json;
    }

    private static Map<String, Object> of(final CommunicatorStatus c) {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", Long.toHexString(c.id()));
        json.put("rank", c.rank());
        json.put("size", c.size());
        json.put("begun", c.begun());
        json.put("finished", c.finished());
        json.put("waiting_s", c.waitingNanos() / 1e9);
        json.put("waits_for", c.waitsFor());
        json.put("broken", c.broken());
        json.put("last", c.last().stream().map(StatusJson::of).toList());
        return json;
    }

    private static Map<String, Object> of(final OperationStatus operation) {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("number", operation.number());
        json.put("operation", Fingerprint.describe(operation.fingerprint(), Planners.NAMES));
        json.put("waited_us", Math.max(0, operation.waitNanos()) / 1e3);
        return json;
    }
}
