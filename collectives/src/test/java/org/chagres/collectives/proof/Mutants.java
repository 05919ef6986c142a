package org.chagres.collectives.proof;

import java.util.ArrayList;
import java.util.List;
import org.chagres.collectives.plan.Plan;
import org.chagres.collectives.plan.Ref;
import org.chagres.collectives.plan.Space;
import org.chagres.collectives.plan.Step;

/** Ways to break plans. Each yields a mutant for each step to which it applies. */
enum Mutants {
    /** Data lands one element further. */
    WRONG_SLOT {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            switch (steps.get(i)) {
                case final Step.Put put ->
                    sink.replace(i, new Step.Put(put.peer(), put.from(), shift(put.to()), put.count(), put.signal()));
                case final Step.Copy copy ->
                    sink.replace(i, new Step.Copy(copy.from(), shift(copy.to()), copy.count()));
                case final Step.Reduce reduce -> sink.replace(i,
                        new Step.Reduce(reduce.operands(), shift(reduce.to()), reduce.count(), reduce.finish()));
                case final Step.Signal _,final Step.Wait _ -> {
                    // They have no place.
                }
            }
        }
    },
    /** A step that moves data is left out. */
    DROPPED_TRANSFER {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (!(steps.get(i) instanceof Step.Signal) && !(steps.get(i) instanceof Step.Wait)) {
                sink.replace(i);
            }
        }
    },
    /** The signal comes without its data. */
    DROPPED_DATA {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (steps.get(i) instanceof final Step.Put put && put.signal()) {
                sink.replace(i, new Step.Signal(put.peer()));
            }
        }
    },
    DROPPED_SIGNAL {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (steps.get(i) instanceof final Step.Put put && put.signal()) {
                sink.replace(i, new Step.Put(put.peer(), put.from(), put.to(), put.count(), false));
            } else if (steps.get(i) instanceof Step.Signal) {
                sink.replace(i);
            }
        }
    },
    UNMATCHED_SIGNAL {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (steps.get(i) instanceof final Step.Put put) {
                sink.replace(i, put, new Step.Signal(put.peer()));
            }
        }
    },
    DOUBLE_COUNT {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (steps.get(i) instanceof final Step.Reduce reduce) {
                final List<Step.Operand> twice = new ArrayList<>(reduce.operands());
                twice.add(reduce.operands().getFirst());
                sink.replace(i, new Step.Reduce(twice, reduce.to(), reduce.count(), reduce.finish()));
                if (reduce.operands().size() > 1) {
                    final List<Step.Operand> instead = new ArrayList<>(reduce.operands());
                    instead.set(1, instead.getFirst());
                    sink.replace(i, new Step.Reduce(instead, reduce.to(), reduce.count(), reduce.finish()));
                }
            }
        }
    },
    MISSING_OPERAND {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (steps.get(i) instanceof final Step.Reduce reduce && reduce.operands().size() > 1) {
                final int size = reduce.operands().size();
                sink.replace(i, new Step.Reduce(reduce.operands().subList(0, size - 1), reduce.to(), reduce.count(),
                        reduce.finish()));
                sink.replace(i, new Step.Reduce(reduce.operands().subList(1, size), reduce.to(), reduce.count(),
                        reduce.finish()));
            }
        }
    },
    WRONG_RAW_FLAG {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (steps.get(i) instanceof final Step.Reduce reduce) {
                for (int k = 0; k < reduce.operands().size(); k++) {
                    final List<Step.Operand> flipped = new ArrayList<>(reduce.operands());
                    flipped.set(k, new Step.Operand(flipped.get(k).at(), !flipped.get(k).raw()));
                    sink.replace(i, new Step.Reduce(flipped, reduce.to(), reduce.count(), reduce.finish()));
                }
            }
        }
    },
    /** An average is divided too early, or never. */
    WRONG_FINISH {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (steps.get(i) instanceof final Step.Reduce reduce) {
                sink.replace(i, new Step.Reduce(reduce.operands(), reduce.to(), reduce.count(), !reduce.finish()));
            }
        }
    },
    FINISHED_TWICE {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (steps.get(i) instanceof final Step.Reduce reduce && reduce.finish()) {
                final List<Step.Operand> result = List.of(new Step.Operand(reduce.to(), false));
                sink.replace(i, reduce, new Step.Reduce(result, reduce.to(), reduce.count(), true));
            }
        }
    },
    SWAPPED_OFFSETS {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (steps.get(i) instanceof final Step.Put put && put.from().offset() != put.to().offset()) {
                sink.replace(i, new Step.Put(put.peer(), new Ref(put.from().space(), put.to().offset()),
                        new Ref(put.to().space(), put.from().offset()), put.count(), put.signal()));
            }
            if (steps.get(i) instanceof final Step.Copy copy && copy.from().offset() != copy.to().offset()) {
                sink.replace(i, new Step.Copy(new Ref(copy.from().space(), copy.to().offset()),
                        new Ref(copy.to().space(), copy.from().offset()), copy.count()));
            }
        }
    },
    SHORT_TRANSFER {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            switch (steps.get(i)) {
                case final Step.Put put ->
                    sink.replace(i, new Step.Put(put.peer(), put.from(), put.to(), put.count() - 1, put.signal()));
                case final Step.Copy copy -> sink.replace(i, new Step.Copy(copy.from(), copy.to(), copy.count() - 1));
                case final Step.Reduce reduce -> sink.replace(i,
                        new Step.Reduce(reduce.operands(), reduce.to(), reduce.count() - 1, reduce.finish()));
                case final Step.Signal _,final Step.Wait _ -> {
                    // They move nothing.
                }
            }
        }
    },
    /** Writing the output of a peer before anything has come from it. */
    PUT_WITHOUT_PERMISSION {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (steps.get(i) instanceof final Step.Put put && put.to().space() == Space.RECV) {
                final List<Step> moved = new ArrayList<>(steps);
                moved.remove(i);
                moved.addFirst(put);
                sink.accept(moved);
            }
        }
    },
    /** A wait less. Where a later wait covers it before anything depends on it, this is as right as before. */
    DROPPED_WAIT {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (steps.get(i) instanceof Step.Wait) {
                sink.replace(i);
            }
        }

        @Override
        boolean mayBeRight() {
            return true;
        }
    },
    /** All waits come before all else. Where data flows one way only, with place for all of it, this is as right as before. */
    WAIT_FIRST {
        @Override
        void mutate(final List<Step> steps, final int i, final Sink sink) {
            if (i == 0) {
                final List<Step> waits = new ArrayList<>(steps);
                waits.removeIf(step -> !(step instanceof Step.Wait));
                final List<Step> others = new ArrayList<>(steps);
                others.removeIf(Step.Wait.class::isInstance);
                waits.addAll(others);
                sink.accept(waits);
            }
        }

        @Override
        boolean mayBeRight() {
            return true;
        }

        @Override
        boolean everyRank() {
            return true;
        }
    };

    /** Takes the steps of a mutated channel. */
    interface Sink {
        void accept(List<Step> mutated);

        void replace(int index, Step... by);
    }

    abstract void mutate(List<Step> steps, int index, Sink sink);

    /** Whether some mutants are as right as the original. */
    boolean mayBeRight() {
        return false;
    }

    /** Whether all ranks are mutated together. */
    boolean everyRank() {
        return false;
    }

    private static Ref shift(final Ref ref) {
        return new Ref(ref.space(), ref.offset() + 1);
    }

    /** All mutants of {@code plans}, those equal to it left out. */
    List<List<Plan>> of(final List<Plan> plans) {
        final List<List<Plan>> mutants = new ArrayList<>();
        if (everyRank()) {
            List<Plan> all = plans;
            for (int rank = 0; rank < plans.size(); rank++) {
                for (int channel = 0; channel < plans.get(rank).channels().size(); channel++) {
                    final List<List<Plan>> one = mutants(all, rank, channel);
                    all = one.isEmpty() ? all : one.getFirst();
                }
            }
            mutants.add(all);
        } else {
            for (int rank = 0; rank < plans.size(); rank++) {
                for (int channel = 0; channel < plans.get(rank).channels().size(); channel++) {
                    mutants.addAll(mutants(plans, rank, channel));
                }
            }
        }
        mutants.removeIf(plans::equals);
        return mutants;
    }

    private List<List<Plan>> mutants(final List<Plan> plans, final int rank, final int channel) {
        final List<List<Plan>> mutants = new ArrayList<>();
        final List<Step> steps = plans.get(rank).channels().get(channel);
        final Sink sink = new Sink() {
            @Override
            public void accept(final List<Step> mutated) {
                mutants.add(with(plans, rank, channel, mutated));
            }

            @Override
            public void replace(final int index, final Step... by) {
                final List<Step> mutated = new ArrayList<>(steps);
                mutated.remove(index);
                mutated.addAll(index, List.of(by));
                accept(mutated);
            }
        };
        for (int i = 0; i < steps.size(); i++) {
            mutate(steps, i, sink);
        }
        return mutants;
    }

    /** {@code plans} with other steps in one channel of one rank. */
    static List<Plan> with(final List<Plan> plans, final int rank, final int channel, final List<Step> steps) {
        final Plan plan = plans.get(rank);
        final List<List<Step>> channels = new ArrayList<>(plan.channels());
        channels.set(channel, steps);
        final List<Plan> mutant = new ArrayList<>(plans);
        mutant.set(rank, new Plan(plan.algorithm(), plan.shape(), rank, plan.scratch(), plan.scratchCount(),
                plan.synchronizing(), channels));
        return mutant;
    }
}
