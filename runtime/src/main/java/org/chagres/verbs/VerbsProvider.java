package org.chagres.verbs;

import java.util.List;
import java.util.Optional;

/** A way to reach RDMA devices; found by {@link java.util.ServiceLoader}. Safe for use by any thread. */
public interface VerbsProvider {
    /** A short name for messages. */
    String name();

    /** Why this provider cannot be used on this machine, with the remedy, in one line; empty if it can. */
    Optional<String> unavailable();

    /**
     * The devices there are now; none on a machine without RDMA, which is not a failure.
     *
     * @throws VerbsException if the list cannot be read
     */
    List<Device> devices();

    /** Why connections cannot be made by address on this machine, with the remedy, in one line; empty if they can. */
    Optional<String> connectionManagerUnavailable();

    /**
     * Opens a channel to the connection manager.
     *
     * @return to be closed
     * @throws VerbsException if there is no connection manager; the message is that of {@link #connectionManagerUnavailable}
     */
    CmEventChannel createEventChannel();
}
