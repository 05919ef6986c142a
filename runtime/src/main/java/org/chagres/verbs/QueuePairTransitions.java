package org.chagres.verbs;

import static org.chagres.verbs.QueuePairAttribute.ACCESS_FLAGS;
import static org.chagres.verbs.QueuePairAttribute.AV;
import static org.chagres.verbs.QueuePairAttribute.DEST_QPN;
import static org.chagres.verbs.QueuePairAttribute.EN_SQD_ASYNC_NOTIFY;
import static org.chagres.verbs.QueuePairAttribute.MAX_DEST_RD_ATOMIC;
import static org.chagres.verbs.QueuePairAttribute.MAX_QP_RD_ATOMIC;
import static org.chagres.verbs.QueuePairAttribute.MIN_RNR_TIMER;
import static org.chagres.verbs.QueuePairAttribute.PATH_MTU;
import static org.chagres.verbs.QueuePairAttribute.PKEY_INDEX;
import static org.chagres.verbs.QueuePairAttribute.PORT;
import static org.chagres.verbs.QueuePairAttribute.QKEY;
import static org.chagres.verbs.QueuePairAttribute.RETRY_CNT;
import static org.chagres.verbs.QueuePairAttribute.RNR_RETRY;
import static org.chagres.verbs.QueuePairAttribute.RQ_PSN;
import static org.chagres.verbs.QueuePairAttribute.SQ_PSN;
import static org.chagres.verbs.QueuePairAttribute.STATE;
import static org.chagres.verbs.QueuePairAttribute.TIMEOUT;
import static org.chagres.verbs.QueuePairState.ERR;
import static org.chagres.verbs.QueuePairState.INIT;
import static org.chagres.verbs.QueuePairState.RESET;
import static org.chagres.verbs.QueuePairState.RTR;
import static org.chagres.verbs.QueuePairState.RTS;
import static org.chagres.verbs.QueuePairState.SQD;
import static org.chagres.verbs.QueuePairState.SQE;
import static org.chagres.verbs.QueuePairType.RC;
import static org.chagres.verbs.QueuePairType.UC;
import static org.chagres.verbs.QueuePairType.UD;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which transitions of a queue pair are legal, and with which attributes: table 96 ("QP state transition properties") of the InfiniBand specification,
 * volume 1, without alternate paths. Providers check against it, so that a refusal can name what is wrong.
 */
public final class QueuePairTransitions {
    private static final Map<Transition, Rule> RULES = rules();

    private QueuePairTransitions() {
    }

    private record Transition(QueuePairType type, QueuePairState from, QueuePairState to) {}

    private record Rule(Set<QueuePairAttribute> required, Set<QueuePairAttribute> optional) {}

    /** Whether a queue pair may go from one state to the other. */
    public static boolean isLegal(final QueuePairType type, final QueuePairState from, final QueuePairState to) {
        return RULES.containsKey(new Transition(type, from, to));
    }

    /** The attributes, beside STATE, that a legal transition needs. */
    public static Set<QueuePairAttribute> required(final QueuePairType type, final QueuePairState from,
            final QueuePairState to) {
        return Set.copyOf(rule(type, from, to).required);
    }

    /** The attributes that a legal transition may carry besides. */
    public static Set<QueuePairAttribute> optional(final QueuePairType type, final QueuePairState from,
            final QueuePairState to) {
        return Set.copyOf(rule(type, from, to).optional);
    }

    /**
     * Checks what {@link QueuePair#modify} was given.
     *
     * @param from the state that the queue pair is in
     * @param attributes without STATE, the state stays
     * @return the state afterwards
     * @throws IllegalTransitionException naming the transition, or what is missing and what is too much
     */
    public static QueuePairState check(final QueuePairType type, final QueuePairState from,
            final QueuePairAttributes attributes) {
        final QueuePairState to = attributes.has(STATE) ? attributes.state() : from;
        final Rule rule = rule(type, from, to);
        final Set<QueuePairAttribute> missing = EnumSet.copyOf(rule.required);
        missing.removeAll(attributes.names());
        final Set<QueuePairAttribute> extra = EnumSet.noneOf(QueuePairAttribute.class);
        extra.addAll(attributes.names());
        extra.removeAll(rule.required);
        extra.removeAll(rule.optional);
        extra.remove(STATE);
        if (!missing.isEmpty() || !extra.isEmpty()) {
            throw new IllegalTransitionException(type, from, to, missing, extra);
        }
        return to;
    }

    private static Rule rule(final QueuePairType type, final QueuePairState from, final QueuePairState to) {
        final Rule rule = RULES.get(new Transition(type, from, to));
        if (rule == null) {
            throw new IllegalTransitionException(type, from, to, reachable(type, from));
        }
        return rule;
    }

    private static Set<QueuePairState> reachable(final QueuePairType type, final QueuePairState from) {
        final Set<QueuePairState> states = EnumSet.noneOf(QueuePairState.class);
        for (final QueuePairState to : QueuePairState.values()) {
            if (isLegal(type, from, to)) {
                states.add(to);
            }
        }
        return states;
    }

    private static Map<Transition, Rule> rules() {
        final Map<Transition, Rule> rules = new HashMap<>();
        for (final QueuePairType type : QueuePairType.values()) {
            for (final QueuePairState from : EnumSet.of(RESET, INIT, RTR, RTS, SQD, SQE, ERR)) {
                rules.put(new Transition(type, from, RESET), rule(Set.of(), Set.of()));
                if (from != RESET) {
                    rules.put(new Transition(type, from, ERR), rule(Set.of(), Set.of()));
                }
            }
            rules.put(new Transition(type, RTS, SQD), rule(Set.of(), Set.of(EN_SQD_ASYNC_NOTIFY)));
        }
        datagrams(rules);
        unreliable(rules);
        reliable(rules);
        return rules;
    }

    private static void datagrams(final Map<Transition, Rule> rules) {
        final Set<QueuePairAttribute> init = Set.of(PKEY_INDEX, PORT, QKEY);
        rules.put(new Transition(UD, RESET, INIT), rule(init, Set.of()));
        rules.put(new Transition(UD, INIT, INIT), rule(Set.of(), init));
        rules.put(new Transition(UD, INIT, RTR), rule(Set.of(), Set.of(PKEY_INDEX, QKEY)));
        rules.put(new Transition(UD, RTR, RTS), rule(Set.of(SQ_PSN), Set.of(QKEY)));
        rules.put(new Transition(UD, RTS, RTS), rule(Set.of(), Set.of(QKEY)));
        rules.put(new Transition(UD, SQD, RTS), rule(Set.of(), Set.of(QKEY)));
        rules.put(new Transition(UD, SQD, SQD), rule(Set.of(), Set.of(PKEY_INDEX, QKEY)));
        rules.put(new Transition(UD, SQE, RTS), rule(Set.of(), Set.of(QKEY)));
    }

    private static void unreliable(final Map<Transition, Rule> rules) {
        final Set<QueuePairAttribute> init = Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS);
        rules.put(new Transition(UC, RESET, INIT), rule(init, Set.of()));
        rules.put(new Transition(UC, INIT, INIT), rule(Set.of(), init));
        rules.put(new Transition(UC, INIT, RTR),
                rule(Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN), Set.of(ACCESS_FLAGS, PKEY_INDEX)));
        rules.put(new Transition(UC, RTR, RTS), rule(Set.of(SQ_PSN), Set.of(ACCESS_FLAGS)));
        rules.put(new Transition(UC, RTS, RTS), rule(Set.of(), Set.of(ACCESS_FLAGS)));
        rules.put(new Transition(UC, SQD, RTS), rule(Set.of(), Set.of(ACCESS_FLAGS)));
        rules.put(new Transition(UC, SQD, SQD), rule(Set.of(), Set.of(AV, ACCESS_FLAGS, PKEY_INDEX)));
        rules.put(new Transition(UC, SQE, RTS), rule(Set.of(), Set.of(ACCESS_FLAGS)));
    }

    private static void reliable(final Map<Transition, Rule> rules) {
        final Set<QueuePairAttribute> init = Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS);
        final Set<QueuePairAttribute> receive = Set.of(ACCESS_FLAGS, MIN_RNR_TIMER);
        rules.put(new Transition(RC, RESET, INIT), rule(init, Set.of()));
        rules.put(new Transition(RC, INIT, INIT), rule(Set.of(), init));
        rules.put(new Transition(RC, INIT, RTR),
                rule(Set.of(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER),
                        Set.of(ACCESS_FLAGS, PKEY_INDEX)));
        rules.put(new Transition(RC, RTR, RTS),
                rule(Set.of(TIMEOUT, RETRY_CNT, RNR_RETRY, SQ_PSN, MAX_QP_RD_ATOMIC), receive));
        rules.put(new Transition(RC, RTS, RTS), rule(Set.of(), receive));
        rules.put(new Transition(RC, SQD, RTS), rule(Set.of(), receive));
        rules.put(new Transition(RC, SQD, SQD),
                rule(Set.of(), Set.of(PORT, AV, TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC, MAX_DEST_RD_ATOMIC,
                        ACCESS_FLAGS, PKEY_INDEX, MIN_RNR_TIMER)));
    }

    private static Rule rule(final Set<QueuePairAttribute> required, final Set<QueuePairAttribute> optional) {
        final Set<QueuePairAttribute> sorted = EnumSet.noneOf(QueuePairAttribute.class);
        sorted.addAll(required);
        return new Rule(sorted, optional);
    }
}
