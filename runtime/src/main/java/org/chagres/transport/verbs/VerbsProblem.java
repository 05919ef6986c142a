package org.chagres.transport.verbs;

import org.chagres.verbs.VerbsException;

/**
 * Why verbs cannot be used here. Where transports are chosen automatically it is the one line that says why another was taken; where verbs is demanded
 * it is an exception.
 *
 * @param kind what sort of thing is missing
 * @param reason one line for people, with the remedy
 */
public record VerbsProblem(Kind kind, String reason) {
    /** What is missing. */
    public enum Kind {
        /** A setting switches verbs off. */
        DISABLED,
        /** No provider works here: no libibverbs, no RDMA in the kernel, or no device. */
        UNAVAILABLE,
        /** A device that needs another way to connect. */
        UNSUPPORTED_DEVICE,
        /** The device's file may not be opened. */
        NO_PERMISSION,
        /** Too little memory may be locked. */
        LOCKED_MEMORY,
        /** No traffic passes the port. */
        PORT_DOWN,
        /** No row of the GID table can be used. */
        NO_GID,
        /** A setting asks for something else. */
        EXCLUDED,
        /** A setting asks for what is not there. */
        SETTING,
        /** Anything else that a device refused. */
        DEVICE_FAILED
    }

    private static final int EPERM = 1;
    private static final int ENOMEM = 12;
    private static final int EACCES = 13;
    private static final int ENOSYS = 38;

    /** Keeps the reason on one line. */
    public VerbsProblem {
        reason = reason.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    /** The problem that a failed call tells of; its message has the figures and the remedy. */
    public static VerbsProblem of(final VerbsException failure) {
        return new VerbsProblem(switch (failure.errno()) {
            case EPERM, EACCES -> Kind.NO_PERMISSION;
            case ENOMEM -> Kind.LOCKED_MEMORY;
            case ENOSYS -> Kind.UNAVAILABLE;
            default -> Kind.DEVICE_FAILED;
        }, failure.getMessage());
    }

    /** Whether somebody asked for what is not there: an error even where transports are chosen automatically. */
    public boolean isMistake() {
        return kind == Kind.SETTING;
    }

    /** The line for where another transport is taken instead. */
    public String line(final String taken) {
        return "verbs is not used, but " + taken + ": " + reason;
    }

    /**
     * The exception for where verbs is demanded.
     *
     * @param demand who demands it, such as {@code CHAGRES_TRANSPORT=verbs}
     */
    public VerbsException exception(final String demand) {
        return new VerbsException(demand + ", but verbs cannot be used here: " + reason);
    }
}
