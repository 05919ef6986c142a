package org.chagres.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * An indexed job of Kubernetes: one rank a pod. The pod of index 0 is {@code JOB-0.SERVICE}, where SERVICE is the headless service that the pods name as
 * their {@code subdomain}; a pod finds its own full name in the hosts file that the kubelet writes. See
 * <a href="https://kubernetes.io/docs/tasks/job/job-with-pod-to-pod-communication/">Job with Pod-to-Pod Communication</a>. Kubernetes does not tell a pod
 * how many there are, so the job sets {@code WORLD_SIZE}. Every pod has all ports to itself.
 *
 * @param hosts the hosts file
 */
record KubernetesLauncher(Path hosts) implements Launcher {
    private static final String INDEX = "JOB_COMPLETION_INDEX";
    private static final String HOST = "HOSTNAME";

    @Override
    public String label() {
        return "a Kubernetes indexed job (JOB_COMPLETION_INDEX, and WORLD_SIZE set to its completions)";
    }

    @Override
    public boolean started(final Environment environment) {
        return environment.has(INDEX);
    }

    @Override
    public WorldInfo world(final Environment environment) {
        final Place place = new Place.Variables(INDEX, Environment.WORLD_SIZE, "", "")
                .read(environment,
                        "Kubernetes does not tell a pod how many there are; set WORLD_SIZE in the pod template's"
                                + " env to the job's completions");
        return Launcher.derive(environment, place, Environment.WORLD_SIZE, () -> address(environment),
                () -> DerivedPort.FIXED, "a Kubernetes indexed job");
    }

    private String address(final Environment environment) {
        final String pod = environment.required(HOST,
                "Kubernetes sets it to the pod's name; set MASTER_ADDR to <job>-0.<service>");
        final String suffix = "-" + environment.get(INDEX);
        if (!pod.endsWith(suffix)) {
            throw unknown("HOSTNAME=" + pod + " does not end in the job's index " + suffix);
        }
        final String fullName = names(pod).stream()
                .filter(name -> name.startsWith(pod + "."))
                .findFirst()
                .orElseThrow(() -> unknown(hosts + " has no full name of " + pod
                        + " (does the pod template set subdomain to a headless service?)"));
        return pod.substring(0, pod.length() - suffix.length()) + "-0" + fullName.substring(pod.length());
    }

    /** The names on the hosts file's line of {@code pod}. */
    private List<String> names(final String pod) {
        try {
            return Files.readAllLines(hosts)
                    .stream()
                    .map(line -> List.of(line.replaceFirst("#.*", "").strip().split("\\s+")))
                    .filter(names -> names.contains(pod))
                    .findFirst()
                    .orElse(List.of());
        } catch (final IOException e) {
            throw new IllegalArgumentException(
                    "MASTER_ADDR is not set, and " + hosts + " cannot be read (" + e.getMessage()
                            + "): set MASTER_ADDR to <job>-0.<headless service>",
                    e);
        }
    }

    private static IllegalArgumentException unknown(final String why) {
        return new IllegalArgumentException("MASTER_ADDR is not set, and " + why
                + ": set it in the pod template's env to <job>-0.<headless service>");
    }
}
