package org.chagres.bootstrap;

/**
 * Slurm's srun. Rank 0 is on the first node of the step. See "OUTPUT ENVIRONMENT VARIABLES" in
 * <a href="https://slurm.schedmd.com/srun.html">srun's manual</a>.
 */
final class SlurmLauncher implements Launcher {
    private static final String RANK = "SLURM_PROCID";
    private static final String NODE = "SLURM_NODEID";
    private static final String[] SIZE = {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS" };
    private static final String[] STEP = {"SLURM_STEP_ID", "SLURM_STEPID" };
    private static final String[] JOB = {"SLURM_JOB_ID", "SLURM_JOBID" };
    private static final String[] TASKS = {"SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE" };
    private static final String[] NODES = {"SLURM_STEP_NODELIST", "SLURM_NODELIST", "SLURM_JOB_NODELIST" };
    /** Slurm numbers its special steps from here on; of these the batch script and salloc's shell see their number. */
    private static final long SPECIAL_STEPS = 0xffff_0000L;
    /** Keeps the first hundred steps of consecutive jobs apart. */
    private static final long STEPS_PER_JOB = 101;
    private static final String REMEDY = "srun sets it for each task; start the rank with srun";

    @Override
    public String label() {
        return "Slurm's srun (SLURM_PROCID, SLURM_NTASKS; not within the batch script itself, which is no task)";
    }

    @Override
    public boolean started(final Environment environment) {
        if (!environment.has(RANK)) {
            return false;
        }
        for (final String name : STEP) {
            if (environment.has(name)) {
                return number(environment, name) < SPECIAL_STEPS;
            }
        }
        return false;
    }

    @Override
    public WorldInfo world(final Environment environment) {
        final String sizeVariable = environment.first(SIZE);
        final Place place = place(environment, sizeVariable);
        return Launcher.derive(environment, place, sizeVariable, () -> address(environment, place),
                () -> DerivedPort.of(number(environment, environment.first(JOB)) * STEPS_PER_JOB
                        + number(environment, environment.first(STEP))),
                "Slurm's srun");
    }

    private static Place place(final Environment environment, final String sizeVariable) {
        final Place place = new Place.Variables(RANK, sizeVariable, "SLURM_LOCALID", "").read(environment, REMEDY);
        if (!environment.has(NODE)) {
            return place;
        }
        final String tasksVariable = environment.first(TASKS);
        final int tasks = SlurmLists.tasks(tasksVariable, environment.get(tasksVariable),
                environment.number(NODE, 0, REMEDY));
        if (place.localRank() >= tasks) {
            throw Place.contradiction("SLURM_LOCALID", place.localRank(), tasksVariable, tasks,
                    "this node has fewer tasks");
        }
        if (tasks > place.size()) {
            throw Place.contradiction(tasksVariable, tasks, sizeVariable, place.size(),
                    "a node cannot have more tasks than the step");
        }
        return new Place(place.rank(), place.size(), place.localRank(), tasks);
    }

    /** The node's name need not resolve where there is but one. */
    private static String address(final Environment environment, final Place place) {
        if (place.localSize() == place.size()) {
            return LOOPBACK;
        }
        final String variable = environment.first(NODES);
        return SlurmLists.firstNode(variable, environment.get(variable));
    }

    private static long number(final Environment environment, final String name) {
        return environment.number(name, 0, 0xffff_ffffL, REMEDY);
    }
}
