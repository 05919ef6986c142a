package org.chagres.bench.launch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What to run, where, and what every rank is told.
 *
 * @param masterAddress where rank 0 listens
 * @param world a name that no other job has
 * @param secret or null
 * @param ssh the command that, given a host and a command line, runs it there
 * @param exported variables for every rank
 * @param settings variables for ranks on other hosts, which do not inherit this process's environment
 */
record Job(List<String> command, List<Placement> placements, String masterAddress, int masterPort, String world,
        String secret, List<String> ssh, Map<String, String> exported, Map<String, String> settings) {
    /** The variables of one rank beyond its host's own environment. */
    Map<String, String> environment(final Placement placement) {
        final Map<String, String> environment = new HashMap<>(placement.host().here() ? Map.of() : settings);
        environment.putAll(exported);
        environment.put("RANK", Integer.toString(placement.rank()));
        environment.put("WORLD_SIZE", Integer.toString(placements.size()));
        environment.put("LOCAL_RANK", Integer.toString(placement.localRank()));
        environment.put("LOCAL_WORLD_SIZE", Integer.toString(placement.localSize()));
        environment.put("MASTER_ADDR", masterAddress);
        environment.put("MASTER_PORT", Integer.toString(masterPort));
        environment.put("CHAGRES_WORLD", world);
        if (secret != null) {
            environment.put(JobSecret.VARIABLE, secret);
        }
        return environment;
    }
}
