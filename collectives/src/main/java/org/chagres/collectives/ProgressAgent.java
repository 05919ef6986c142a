package org.chagres.collectives;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;

/** Drives the asynchronous operations of a communicator from a thread of its own. */
final class ProgressAgent implements Agent {
    private final Engine engine;

    private ProgressAgent(final Engine engine) {
        this.engine = engine;
    }

    static AgentRunner start(final Engine engine) {
        final AgentRunner runner = new AgentRunner(new BackoffIdleStrategy(), engine::fail, null,
                new ProgressAgent(engine));
        AgentRunner.startOnThread(runner, task -> {
            final Thread thread = new Thread(task, "chagres-progress");
            thread.setDaemon(true);
            return thread;
        });
        return runner;
    }

    @Override
    public int doWork() {
        return engine.progress() ? 1 : 0;
    }

    @Override
    public String roleName() {
        return "chagres-progress";
    }
}
