package org.chagres.transport.verbs;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.chagres.verbs.GidType;

/**
 * Which row of a port's GID table to use. What is asked for is demanded; what is not asked for is preferred: RoCE v2, IPv4. NCCL's user guide defines
 * the four variables; NCCL prefers where we demand, and then may take a row that nobody asked for.
 *
 * @param index {@code GID_INDEX}: this row and no other, which is still checked; -1 counts as unset
 * @param family {@code ADDR_FAMILY}
 * @param ranges {@code ADDR_RANGE}: the address must be in one of these
 * @param roceType {@code ROCE_VERSION_NUM}, 1 or 2
 */
public record GidPolicy(Optional<Asked<Integer>> index, Optional<Asked<AddressFamily>> family,
        Optional<Asked<List<AddressRange>>> ranges,
        Optional<Asked<GidType>> roceType) {
    private static final int MAX_INDEX = 255;

    /** By properties alone. */
    public static final GidPolicy DEFAULT = new GidPolicy(Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.empty());

    static GidPolicy of(final Variables variables) {
        final Optional<Asked<AddressFamily>> family = variables.word("ADDR_FAMILY", AddressFamily.values(),
                AddressFamily::word);
        final Optional<Asked<List<AddressRange>>> ranges = variables.text("ADDR_RANGE").map(GidPolicy::ranges);
        if (family.isPresent() && ranges.isPresent()
                && ranges.get().value().stream().noneMatch(range -> range.spans(family.get().value()))) {
            throw new IllegalArgumentException(
                    family.get().text() + " and " + ranges.get().text() + " contradict each other: no "
                            + family.get().value().text() + " address is in the range");
        }
        return new GidPolicy(variables.number("GID_INDEX", -1, MAX_INDEX).filter(set -> set.value() >= 0), family,
                ranges,
                variables.number("ROCE_VERSION_NUM", 1, 2)
                        .map(set -> new Asked<>(set.text(), set.value() == 1 ? GidType.ROCE_V1 : GidType.ROCE_V2)));
    }

    private static Asked<List<AddressRange>> ranges(final Asked<String> set) {
        try {
            return new Asked<>(set.text(), Arrays.stream(set.value().split(",", -1)).map(AddressRange::parse).toList());
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException(set.text() + ": " + e.getMessage(), e);
        }
    }

    /** Whether anything is asked for. */
    boolean demands() {
        return index.isPresent() || family.isPresent() || ranges.isPresent() || roceType.isPresent();
    }
}
