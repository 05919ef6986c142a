package org.chagres.bootstrap;

/**
 * Who a rank is, for messages to people and for choosing transports.
 *
 * @param rank its rank in the world
 * @param hostName the name that its host gives itself
 * @param pid its process id there
 * @param host equal for ranks that can share memory, and for no others
 */
public record Peer(int rank, String hostName, long pid, String host) {
    /** For messages: {@code rank 3 (host gpu-07, process 4711)}. */
    public String describe() {
        return "rank " + rank + " (host " + hostName + ", process " + pid + ")";
    }
}
