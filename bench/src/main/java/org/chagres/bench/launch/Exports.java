package org.chagres.bench.launch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.chagres.bench.UsageException;

/** Variables that ranks get besides those of their place. */
final class Exports {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern SETTING = Pattern.compile("(CHAGRES|NCCL)_\\w+");
    /** Each launch sets its own. */
    private static final Set<String> OWN = Set.of("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR",
            "MASTER_PORT", "CHAGRES_WORLD", JobSecret.VARIABLE, JobSecret.FILE_VARIABLE, RankShell.SSH_VARIABLE);

    private Exports() {
    }

    /** The variables of {@code NAME=VALUE}, and those of {@code NAME} with their value here. */
    static Map<String, String> named(final List<String> exports, final Map<String, String> environment) {
        final Map<String, String> variables = new HashMap<>();
        for (final String export : exports) {
            final String[] parts = export.split("=", 2);
            final String name = parts[0];
            if (!NAME.matcher(name).matches() || OWN.contains(name)) {
                throw new UsageException("-x " + name + (OWN.contains(name)
                        ? ": launch itself sets it"
                        : " is no name of a variable: use letters, digits and _"));
            }
            final String value = parts.length == 2 ? parts[1] : environment.get(name);
            if (value == null) {
                throw new UsageException("-x " + name + ": it is not set here; use -x " + name + "=VALUE");
            }
            variables.put(name, oneLine(name, value));
        }
        return variables;
    }

    /** The settings of the library that this process has. */
    static Map<String, String> settings(final Map<String, String> environment) {
        final Map<String, String> settings = new HashMap<>();
        environment.forEach((name, value) -> {
            if (SETTING.matcher(name).matches() && !OWN.contains(name)) {
                settings.put(name, oneLine(name, value));
            }
        });
        return settings;
    }

    private static String oneLine(final String name, final String value) {
        if (value.indexOf('\n') >= 0) {
            throw new UsageException(name + " has several lines, which cannot be passed to a rank");
        }
        return value;
    }
}
