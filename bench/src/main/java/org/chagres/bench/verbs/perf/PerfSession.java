package org.chagres.bench.verbs.perf;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.chagres.bench.verbs.Stall;

/** The conversation of two connected ends about runs, as {@link Hello} describes it. */
final class PerfSession {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int STALL_SECONDS = 10;

    private final PeerLine line;
    private int iterations;

    PerfSession(final PeerLine line) {
        this.line = line;
    }

    /** Ends a part that waits for a peer that is gone. */
    Idle idle() {
        final Stall stall = new Stall(STALL_SECONDS, () -> iterations + " operations", line::gone);
        return stall::idle;
    }

    /** The client's side of a run; both ends are done afterwards. */
    void run(final Part part, final int size, final int count) throws IOException {
        iterations = count;
        part.prepare(size, count);
        line.send(Map.of("run", size, "iterations", count));
        line.receive("ready", PATIENCE);
        part.run();
        line.send(Map.of("finished", true));
        line.receive("finished", PATIENCE);
    }

    /** The server's side of all runs. */
    void serve(final Part part, final PerfSettings settings) throws IOException {
        Fields message = line.receive(Duration.ZERO);
        while (message.has("run")) {
            final int size = message.integer("run", 1, Integer.MAX_VALUE);
            if (!settings.sizes().contains(size)) {
                throw new ProtocolException("it wants to run " + size + " bytes, which its hello did not name");
            }
            iterations = message.integer("iterations", 1, Integer.MAX_VALUE);
            part.prepare(size, iterations);
            line.send(Map.of("ready", true));
            part.run();
            line.receive("finished", Duration.ZERO);
            line.send(Map.of("finished", true));
            message = line.receive(Duration.ZERO);
        }
        if (!message.has("bye")) {
            throw new ProtocolException("it sent " + message.values().keySet() + " instead of run or bye");
        }
    }

    void bye() throws IOException {
        line.send(Map.of("bye", true));
    }
}
