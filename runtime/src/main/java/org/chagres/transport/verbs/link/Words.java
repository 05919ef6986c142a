package org.chagres.transport.verbs.link;

import org.chagres.transport.LinkException;
import org.chagres.verbs.Completion;

final class Words {
    LinkException refused(final VerbsConnection connection, final String what, final int errno) {
        return new LinkException(connection.peer(), "errno " + errno + " " + what);
    }

    LinkException failed(final VerbsConnection connection, final Completion completion) {
        return new LinkException(connection.peer(), completion instanceof final Completion.Failure f ? f.describe() : "?");
    }
}
