package org.chagres.transport.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.LinkLayer;

/**
 * Looks for the row of a port's GID table to use.
 *
 * @param choice the row; empty if none can be used
 * @param refused the rows that cannot be used, with their reasons
 * @param empty the setting that names a row not in use, if one does
 * @param mistake whether a row could be used, had nobody asked for something else
 */
record GidSelection(Optional<GidChoice> choice, List<GidChoice.Refusal> refused, Optional<String> empty,
        boolean mistake) {
    /** Looks at the rows in use, by index. */
    static GidSelection of(final LinkLayer layer, final List<GidEntry> entries, final GidPolicy policy,
            final NetworkDevices network) {
        final GidRules rules = new GidRules(layer, policy, network);
        final List<GidChoice.Refusal> refused = new ArrayList<>();
        final List<GidEntry> fit = new ArrayList<>();
        for (final GidEntry entry : entries) {
            rules.objection(entry)
                    .ifPresentOrElse(reason -> refused.add(new GidChoice.Refusal(entry, reason)), () -> fit.add(entry));
        }
        final Optional<GidChoice> choice = fit.stream()
                .min(GidRules.PREFERENCE)
                .map(best -> choice(rules, best, entries, refused));
        final boolean mistake = choice.isEmpty() && policy.demands()
                && of(layer, entries, GidPolicy.DEFAULT, network).choice().isPresent();
        return new GidSelection(choice, refused, empty(policy, entries), mistake);
    }

    private static GidChoice choice(final GidRules rules, final GidEntry best, final List<GidEntry> entries,
            final List<GidChoice.Refusal> refused) {
        final List<GidChoice.Refusal> others = entries.stream()
                .filter(entry -> !entry.equals(best))
                .map(entry -> refused.stream()
                        .filter(refusal -> refusal.entry().equals(entry))
                        .findFirst()
                        .orElseGet(() -> new GidChoice.Refusal(entry, GidRules.inferiority(entry, best))))
                .toList();
        return new GidChoice(best, others, rules.notes(best));
    }

    /** The network device of a row; empty if this namespace has none of that name or address, as on InfiniBand. */
    static Optional<NetworkDevice> networkDevice(final GidEntry entry, final NetworkDevices network) {
        return entry.networkDevice().isPresent()
                ? network.called(entry.networkDevice().get())
                : network.having(entry.gid().address());
    }

    /** Why no row can be used, for people. */
    String refusal() {
        final String rows = refused.isEmpty()
                ? "the table is empty"
                : String.join("; ", refused.stream().map(GidChoice.Refusal::toString).toList());
        return "no row of its GID table can be used: "
                + empty.map(setting -> setting + " names an empty row; ").orElse("") + rows;
    }

    private static Optional<String> empty(final GidPolicy policy, final List<GidEntry> entries) {
        return policy.index()
                .filter(asked -> entries.stream().noneMatch(entry -> entry.index() == asked.value()))
                .map(Asked::text);
    }
}
