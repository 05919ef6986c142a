package org.chagres.transport;

/** Messages over several queue pairs overtake each other; nothing is inline. */
class FakeVerbsManyQueuesLinkTest extends FakeVerbsLinkTest {
    @Override
    int inline() {
        return 0;
    }

    @Override
    int queuePairs() {
        return 4;
    }
}
