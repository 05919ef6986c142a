package org.chagres.collectives.cost;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.planner.Planners;

/**
 * Which algorithms the user allows, as {@code CHAGRES_ALGO} or {@code NCCL_ALGO} say it in NCCL's syntax (2.24 and later): lists separated by
 * semicolons, each for one collective ({@code all_reduce:ring,tree}) but the first, which may be for all; a list that begins with {@code ^}
 * names what is not allowed. Case and underscores do not matter.
 */
public final class AlgorithmSetting {
    /** Everything is allowed. */
    public static final AlgorithmSetting NONE = new AlgorithmSetting("", Map.of());

    private static final String OWN = "CHAGRES_ALGO";
    private static final String NCCL = "NCCL_ALGO";

    private final String text;
    private final Map<Collective, Set<String>> allowed;

    private AlgorithmSetting(final String text, final Map<Collective, Set<String>> allowed) {
        this.text = text;
        this.allowed = allowed;
    }

    /**
     * Reads {@code CHAGRES_ALGO}, or if that is not set {@code NCCL_ALGO}.
     *
     * @throws IllegalArgumentException if the value makes no sense; the message lists what does
     */
    public static AlgorithmSetting of(final Map<String, String> environment) {
        final String variable = environment.containsKey(OWN) ? OWN : NCCL;
        final String value = environment.get(variable);
        return value == null || value.isBlank() ? NONE : parse(variable, value);
    }

    static AlgorithmSetting parse(final String variable, final String value) {
        final String text = variable + "=" + value;
        final Map<Collective, Set<String>> allowed = new EnumMap<>(Collective.class);
        final List<String> lists = List.of(value.split(";", -1));
        for (int i = 0; i < lists.size(); i++) {
            final int colon = lists.get(i).indexOf(':');
            if (colon < 0 && i > 0) {
                throw wrong(text, "only the first list may come without a collective, not '" + lists.get(i) + "'");
            }
            final Set<String> names = names(text, lists.get(i).substring(colon + 1).strip());
            if (colon < 0) {
                for (final Collective collective : Collective.values()) {
                    allowed.put(collective, names);
                }
            } else {
                allowed.put(collective(text, lists.get(i).substring(0, colon)), names);
            }
        }
        return new AlgorithmSetting(text, allowed);
    }

    private static Collective collective(final String text, final String name) {
        for (final Collective collective : Collective.values()) {
            if (plain(collective.label()).equals(plain(name))) {
                return collective;
            }
        }
        throw wrong(text, "there is no collective '" + name.strip() + "'");
    }

    private static Set<String> names(final String text, final String list) {
        final boolean except = list.startsWith("^");
        final Set<String> named = new HashSet<>();
        for (final String name : list.substring(except ? 1 : 0).split(",", -1)) {
            named.add(algorithm(text, name));
        }
        if (!except) {
            return named;
        }
        final Set<String> others = new HashSet<>();
        for (final Planner planner : Planners.ALL) {
            others.add(planner.name());
        }
        others.removeAll(named);
        return others;
    }

    private static String algorithm(final String text, final String name) {
        for (final Planner planner : Planners.ALL) {
            if (plain(planner.name()).equals(plain(name))) {
                return planner.name();
            }
        }
        throw wrong(text, "there is no algorithm '" + name.strip() + "'");
    }

    private static String plain(final String name) {
        return name.strip().replace("_", "").toLowerCase(Locale.ROOT);
    }

    private static IllegalArgumentException wrong(final String text, final String reason) {
        final List<String> algorithms = new ArrayList<>();
        for (final Planner planner : Planners.ALL) {
            algorithms.add(planner.name());
        }
        final List<String> collectives = new ArrayList<>();
        for (final Collective collective : Collective.values()) {
            collectives.add(collective.label());
        }
        return new IllegalArgumentException(text + ": " + reason
                + ". Use [^]ALGORITHM[,ALGORITHM...][;COLLECTIVE:[^]ALGORITHM...] with the algorithms "
                + String.join(", ", algorithms) + " and the collectives " + String.join(", ", collectives));
    }

    /** Whether this setting says anything about {@code collective}. */
    public boolean restricts(final Collective collective) {
        return allowed.containsKey(collective);
    }

    /** Whether {@code planner} may carry out {@code collective}. */
    public boolean allows(final Collective collective, final Planner planner) {
        return !restricts(collective) || allowed.get(collective).contains(planner.name());
    }

    /** The variable and its value, as it was set; empty if none was. */
    @Override
    public String toString() {
        return text;
    }
}
