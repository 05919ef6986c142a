package org.chagres.bench.launch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The command line that runs one rank, here or through ssh, and what it is sent on its standard input.
 *
 * <p>
 * A small shell program stands between the launcher and the rank, the same on every host. It reads the rank's variables from its standard input, so that a
 * secret is on no command line, and then leads a process group with the rank in it. A second shell keeps reading: a line is a signal for the group, and the
 * end of the input, which comes when the launcher or the connection to it is gone however it went, kills the group. The rank's exit status is passed on
 * as shells do, 128 and the signal's number for one that was killed, which ssh by itself would not tell.
 */
final class RankShell {
    /** What a rank on another host prints first; until then its connection is being made. */
    static final String READY = "chagres-launch-ready";
    /** The exit status of ssh itself. */
    static final int SSH_FAILED = 255;
    static final String SSH_VARIABLE = "CHAGRES_SSH";
    private static final String SSH = "ssh -T -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=3";
    /** Dash's kill knows neither -- nor a group after -s. Signals sent to the group must not end the two shells before the rank. */
    private static final String PROGRAM = """
            while :; do IFS= read -r v || exit 125; [ -n "$v" ] || break; export "$v"; done;
            cd "$1" || exit 125; shift;
            kill -0 -$$ || exit 125;
            [ -z "$CHAGRES_LAUNCH_READY" ] || echo "$CHAGRES_LAUNCH_READY"; unset CHAGRES_LAUNCH_READY;
            exec 3<&0 </dev/null;
            (trap "" TERM INT HUP; while IFS= read -r s; do kill "-$s" -$$; done; kill -KILL -$$) <&3 3<&- >/dev/null 2>&1 &
            exec 3<&- 4>&2 2>/dev/null;
            trap : TERM INT HUP;
            (exec 2>&4 4>&-; exec "$@");
            exit $?"""
            .replaceAll("\\s*\\R\\s*", " ");

    private RankShell() {
    }

    /** @param ssh as in {@link Job} */
    static List<String> command(final Host host, final List<String> command, final String folder,
            final List<String> ssh) {
        final List<String> shell = new ArrayList<>(List.of("sh", "-c", PROGRAM, "chagres-launch", folder));
        shell.addAll(command);
        // Away from the terminal, whose Ctrl-C is for the launcher to deal with. At the other end sshd makes the session.
        final List<String> start = new ArrayList<>(List.of("setsid"));
        if (host.here()) {
            start.addAll(shell);
            return start;
        }
        start.addAll(ssh);
        start.add(host.login());
        start.add("exec " + String.join(" ", shell.stream().map(RankShell::quote).toList()));
        return start;
    }

    /** The ssh command that the environment sets, or the default. */
    static List<String> ssh(final Map<String, String> environment) {
        final String set = environment.get(SSH_VARIABLE);
        return Arrays.asList((set == null || set.isBlank() ? SSH : set).strip().split("\\s+"));
    }

    /** The start of the shell's standard input. */
    static String header(final Host host, final Map<String, String> variables) {
        final StringBuilder header = new StringBuilder();
        variables.forEach((name, value) -> header.append(name).append('=').append(value).append('\n'));
        if (!host.here()) {
            header.append("CHAGRES_LAUNCH_READY=").append(READY).append('\n');
        }
        return header.append('\n').toString();
    }

    static String quote(final String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
