package org.chagres.bench;

/** What the tool's exit codes mean; the launcher of the ranks reads them too. */
public final class ExitCode {
    public static final int OK = 0;
    /** The run completed and found wrong data. */
    public static final int WRONG_DATA = 1;
    /** Bad arguments, settings or machine: nothing was measured. */
    public static final int USAGE = 2;
    /** A rank failed or died on the way. */
    public static final int FAILED = 3;

    private ExitCode() {
    }
}
