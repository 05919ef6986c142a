package org.chagres.collectives;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.chagres.collectives.cost.AlgorithmSetting;
import org.chagres.collectives.cost.Choice;
import org.chagres.collectives.cost.Explain;
import org.chagres.collectives.cost.LinkClass;
import org.chagres.collectives.cost.Selector;
import org.chagres.collectives.cost.Wires;
import org.chagres.collectives.exec.Program;
import org.chagres.collectives.plan.Collective;
import org.chagres.collectives.plan.Limits;
import org.chagres.collectives.plan.Planner;
import org.chagres.collectives.plan.Shape;
import org.chagres.collectives.plan.Topology;
import org.chagres.collectives.planner.Planners;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what is asked for into something that can run: chooses the algorithm, makes this rank's plan, and remembers both. */
final class Operations {
    private static final Logger LOG = LoggerFactory.getLogger(Operations.class);
    private static final int SENDER = 0;
    private static final int RECEIVER = 1;

    private final int rank;
    private final int size;
    private final AlgorithmSetting setting;
    private final Limits limits;
    private Wires wires = new Wires(LinkClass.SHM, LinkClass.TCP);
    private final OperationCache cache = new OperationCache();
    private DebugLog debug;
    /** Collectives for which the setting was of no use; once each is enough. */
    private final Set<Collective> toldOfFallback = EnumSet.noneOf(Collective.class);
    private final OperationCache sends = new OperationCache();
    private final OperationCache receives = new OperationCache();

    /** @param topology which ranks share a host */
    Operations(final int rank, final int size, final Settings settings, final Topology topology) {
        this.rank = rank;
        this.size = size;
        this.setting = AlgorithmSetting.of(settings.environment());
        this.limits = Fabric.LIMITS.on(topology);
    }

    /** Chooses from now on by the prices of what ranks are connected by, which must be the same on all ranks. */
    void connectedBy(final Wires connected) {
        this.wires = connected;
    }

    /** Says from now on which algorithm is chosen whenever a new shape comes. */
    void announceChoices(final DebugLog log) {
        this.debug = log.wanted() && rank == 0 ? log : null;
    }

    Choice choose(final Shape shape, final DataType type) {
        return choose(shape, type, limits, setting);
    }

    private Choice choose(final Shape shape, final DataType type, final Limits within, final AlgorithmSetting allowed) {
        return Selector.choose(shape, type.isFloatingPoint() && type.size() <= Short.BYTES, within, wires, allowed);
    }

    String explain(final Shape shape, final DataType type) {
        final Choice choice = choose(shape, type);
        return Explain.explain(choice.planner().plan(shape, rank, limits), choice, limits, type.label());
    }

    Prepared prepare(final Collective collective, final long count, final DataType type, final ReduceOp op,
            final int root) {
        requireType(type);
        final Prepared found = cache.find(collective, count, type, op, root);
        return found != null ? found : make(collective, count, type, op, root);
    }

    private Prepared make(final Collective collective, final long count, final DataType type, final ReduceOp op,
            final int root) {
        final Shape shape = new Shape(collective, size, root, count, type.size());
        final Choice choice = choose(shape, type);
        if (debug != null) {
            debug.info(() -> collective.label() + " of " + count + " " + type.label() + ": " + choice.planner().name()
                    + ", "
                    + choice.reason());
        }
        if (choice.fallback() && rank == 0 && toldOfFallback.add(collective)) {
            LOG.warn("{}", choice.reason());
        }
        final Planner planner = choice.planner();
        final Program program = new Program(planner.plan(shape, rank, limits), type, op,
                Planners.ALL.indexOf(planner));
        return cache.add(Prepared.of(shape, type, op, program, rank));
    }

    private static void requireType(final DataType type) {
        Objects.requireNonNull(type, "the data type is null: use DataType.FLOAT32 or another");
    }

    /** A message between two ranks, of which this one sends or receives. */
    Prepared prepareMessage(final long count, final DataType type, final boolean send) {
        requireType(type);
        final OperationCache messages = send ? sends : receives;
        final Prepared found = messages.find(Collective.SEND_RECV, count, type, null, 0);
        return found != null ? found : makeMessage(messages, count, type, send ? SENDER : RECEIVER);
    }

    /** Both ends choose by the same prices, also where other pairs are connected otherwise. */
    private Prepared makeMessage(final OperationCache messages, final long count, final DataType type,
            final int role) {
        final Shape shape = new Shape(Collective.SEND_RECV, 2, 0, count, type.size());
        final Planner planner = choose(shape, type, Fabric.MESSAGE_LIMITS, AlgorithmSetting.NONE).planner();
        final Program program = new Program(planner.plan(shape, role, Fabric.MESSAGE_LIMITS), type, null,
                Planners.ALL.indexOf(planner));
        return messages.add(Prepared.of(shape, type, null, program, role));
    }
}
