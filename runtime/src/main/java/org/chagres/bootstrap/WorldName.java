package org.chagres.bootstrap;

import java.util.Map;

/** The name of a world, by which ranks of different jobs know each other apart. */
final class WorldName {
    static final String VARIABLE = "CHAGRES_WORLD";
    private static final String OTHERWISE = "default";

    private WorldName() {
    }

    /** {@code CHAGRES_WORLD}, else the name that the launcher gives the job, else {@code default}. */
    static String of(final Map<String, String> environment) {
        for (final String variable : new String[]{VARIABLE, "TORCHELASTIC_RUN_ID" }) {
            final String name = environment.get(variable);
            if (name != null && !name.isBlank()) {
                return name.strip();
            }
        }
        final String job = environment.get("SLURM_JOB_ID");
        if (job != null) {
            final String step = environment.getOrDefault("SLURM_STEP_ID", environment.get("SLURM_STEPID"));
            return step == null ? job : job + "." + step;
        }
        return environment.getOrDefault("PMIX_NAMESPACE", OTHERWISE);
    }
}
