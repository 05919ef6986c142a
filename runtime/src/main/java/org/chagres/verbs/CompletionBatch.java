package org.chagres.verbs;

/**
 * Completions as {@link CompletionQueue#poll(CompletionBatch)} left them, by index. Owned by its queue; used by one thread at a time.
 *
 * <p>If {@link #status} is not 0, only {@link #id}, {@link #status}, {@link #queuePairNumber} and {@link #vendorError} mean something. Accessors check
 * that the index is below the capacity, and nothing else.
 */
public interface CompletionBatch extends VerbsObject {
    /** {@link #opcode} of a send. */
    int SEND = 0;
    /** {@link #opcode} of an RDMA write, with immediate or without. */
    int RDMA_WRITE = 1;
    /** {@link #opcode} of an RDMA read. */
    int RDMA_READ = 2;
    /** {@link #opcode} of a compare-and-swap. */
    int COMP_SWAP = 3;
    /** {@link #opcode} of a fetch-and-add. */
    int FETCH_ADD = 4;
    /** {@link #opcode} of a receive; a bit that all receiving opcodes have. */
    int RECV = 128;
    /** {@link #opcode} of a receive request that a peer's RDMA write with immediate took. */
    int RECV_RDMA_WITH_IMM = 129;

    /** How many completions fit. */
    int capacity();

    /** The number that the request was posted with. */
    long id(int index);

    /** 0 for success, else a number for {@link CompletionStatus#of}. */
    int status(int index);

    /** What completed; a number for {@link CompletionOpcode#of}. */
    int opcode(int index);

    /** How many bytes were received, or read. */
    long byteLength(int index);

    /** The immediate value, in host byte order; if {@link #hasImmediate}. */
    int immediate(int index);

    /** Whether an immediate value came. */
    boolean hasImmediate(int index);

    /** The number of the queue pair that the request was posted to. */
    int queuePairNumber(int index);

    /** The number of the queue pair that sent a datagram. */
    int sourceQueuePair(int index);

    /** The vendor's own number for an error. */
    int vendorError(int index);

    /** The completion as a value, for messages and tests. Allocates. */
    Completion completion(int index);
}
