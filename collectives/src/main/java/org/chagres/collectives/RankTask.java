package org.chagres.collectives;

/** What a rank of a {@link World} does. */
@FunctionalInterface
public interface RankTask {
    void run(Communicator communicator) throws Exception;
}
