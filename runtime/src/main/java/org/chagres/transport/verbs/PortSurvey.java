package org.chagres.transport.verbs;

import java.util.List;
import java.util.Optional;
import org.chagres.verbs.VerbsProvider;

/**
 * The ports of this host: which can carry traffic, and why not the others.
 *
 * @param usable in the order of devices and ports
 * @param skipped the others
 * @param notes what a person may want to know; often nothing
 * @param problem why verbs cannot be used at all; present if and only if no port is usable
 */
public record PortSurvey(List<UsablePort> usable, List<SkippedPort> skipped, List<String> notes,
        Optional<VerbsProblem> problem) {
    /** Keeps the lists as they are. */
    public PortSurvey {
        usable = List.copyOf(usable);
        skipped = List.copyOf(skipped);
        notes = List.copyOf(notes);
    }

    /**
     * Looks at every device that the settings do not exclude; each is opened for that and closed again.
     *
     * @param providers the ways to reach devices, best first, such as {@link org.chagres.verbs.Verbs#providers}
     * @throws IllegalArgumentException if the settings name a device or port that does not exist
     */
    public static PortSurvey of(final VerbsSettings settings, final List<VerbsProvider> providers,
            final NetworkDevices network) {
        return new Surveyor(settings, providers, network).survey();
    }

    static PortSurvey none(final VerbsProblem problem) {
        return new PortSurvey(List.of(), List.of(), List.of(), Optional.of(problem));
    }
}
