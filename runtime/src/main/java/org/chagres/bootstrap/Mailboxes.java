package org.chagres.bootstrap;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The mailboxes of one rank, by topic. Any thread may use it. */
final class Mailboxes {
    private final Map<Long, Mailbox> open = new ConcurrentHashMap<>();
    private final Set<Long> forgotten = ConcurrentHashMap.newKeySet();

    void deliver(final long topic, final Mailbox.Letter letter) {
        if (!forgotten.contains(topic)) {
            mailbox(topic).add(letter);
        }
    }

    Mailbox mailbox(final long topic) {
        return open.computeIfAbsent(topic, t -> new Mailbox());
    }

    void forget(final long topic) {
        forgotten.add(topic);
        open.remove(topic);
    }
}
