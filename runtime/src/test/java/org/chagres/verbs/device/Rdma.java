package org.chagres.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.CompletionStatus;
import org.chagres.verbs.Context;
import org.chagres.verbs.Verbs;
import org.chagres.verbs.VerbsException;
import org.chagres.verbs.VerbsProvider;
import org.junit.jupiter.api.Assumptions;

/** The device under test, and how long to wait for it. */
final class Rdma {
    /** Only a test that fails waits so long. */
    static final Duration PATIENCE = Duration.ofSeconds(20);
    /** Long enough for what must not come to have come. */
    static final Duration MOMENT = Duration.ofMillis(200);

    private Rdma() {
    }

    /** The provider, or the end of the test with the reason. */
    static VerbsProvider provider() {
        try {
            return Verbs.provider();
        } catch (final VerbsException none) {
            return Assumptions.abort("needs an RDMA device; lab/ has one in a guest. " + none.getMessage());
        }
    }

    /** The first device, opened. */
    static Context open() {
        return provider().devices().getFirst().open();
    }

    /** The next completion of a queue. */
    static Completion next(final CompletionQueue queue) {
        try {
            return queue.await(PATIENCE).orElseGet(() -> fail("no completion in " + PATIENCE.toSeconds() + " s"));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return fail(e);
        }
    }

    /** The next completion of a queue, which must be this request's success. */
    static Completion.Success success(final CompletionQueue queue, final long id) {
        final Completion completion = next(queue);
        final Completion.Success success = completion.orThrow();
        assertEquals(id, success.id());
        return success;
    }

    /** The next completion of a queue, which must be this request's failure. */
    static Completion.Failure failure(final CompletionQueue queue, final long id, final CompletionStatus status) {
        final Completion completion = next(queue);
        assertEquals(status, completion.status(), completion::toString);
        assertEquals(id, completion.id());
        return (Completion.Failure) completion;
    }

    /** Checks that nothing completes for a moment. */
    static void nothing(final CompletionQueue queue) {
        try {
            queue.await(MOMENT).ifPresent(completion -> fail("unexpected: " + completion));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(e);
        }
    }
}
