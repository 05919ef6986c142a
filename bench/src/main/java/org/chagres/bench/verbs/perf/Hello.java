package org.chagres.bench.verbs.perf;

import java.util.HashMap;
import java.util.Map;
import org.chagres.bench.UsageException;

/**
 * What the client says first: the version of the exchange, the test, and how to reach the client. The server answers with a {@link Peer}.
 *
 * <p>Then, for each run, the client sends {@code run} (the size) and {@code iterations}, the server makes ready and sends {@code ready}; both do their part;
 * the client sends {@code finished}, and the server too. At last the client sends {@code bye}.
 */
record Hello(PerfSettings settings, Peer client) {
    private static final String PROTOCOL = "chagres-perf-verbs";
    private static final int VERSION = 1;

    Map<String, Object> message() {
        final Map<String, Object> message = new HashMap<>(client.message());
        message.putAll(Map.of("protocol", PROTOCOL, "version", VERSION, "verb", settings.verb().label(), "latency",
                settings.latency(), "compare_and_swap", settings.compareAndSwap(), "sizes", settings.sizes(),
                "iterations", settings.iterations(), "tx_depth", settings.txDepth()));
        message.putAll(Map.of("qps", settings.queuePairs(), "cq_mod", settings.cqModeration(), "post_list",
                settings.postList()));
        return message;
    }

    /** @throws ProtocolException if it is no hello, or one of another version, or asks for what is not possible */
    static Hello parse(final Fields message) throws ProtocolException {
        if (!message.has("protocol") || !message.string("protocol").equals(PROTOCOL)) {
            throw new ProtocolException("it is no client of perf-verbs");
        }
        final long version = message.number("version");
        if (version != VERSION) {
            throw new ProtocolException("it speaks version " + version + " of the exchange, this end version " + VERSION
                    + ": use the same Chagres at both ends");
        }
        try {
            final PerfSettings settings = new PerfSettings(verb(message.string("verb")), message.truth("latency"),
                    message.truth("compare_and_swap"), message.integers("sizes"), count(message, "iterations"),
                    count(message, "qps"), count(message, "tx_depth"), count(message, "cq_mod"),
                    count(message, "post_list"));
            return new Hello(settings, Peer.parse(message, settings.queuePairs()));
        } catch (final UsageException e) {
            throw new ProtocolException("its test is refused: " + e.getMessage(), e);
        }
    }

    private static int count(final Fields message, final String name) throws ProtocolException {
        return message.integer(name, 0, Integer.MAX_VALUE);
    }

    private static Verb verb(final String label) throws ProtocolException {
        for (final Verb verb : Verb.values()) {
            if (verb.label().equals(label)) {
                return verb;
            }
        }
        throw new ProtocolException("it wants to measure " + label + ", which this end does not know");
    }
}
