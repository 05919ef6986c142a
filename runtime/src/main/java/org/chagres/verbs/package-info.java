/**
 * RDMA verbs: devices, protection domains, memory regions, queue pairs, completions, connections.
 *
 * <p>Start at {@link org.chagres.verbs.Verbs}. Names are those of the verbs manual pages. Nothing here knows how a device is reached: that is a
 * {@link org.chagres.verbs.VerbsProvider}'s job.
 *
 * <p><b>Two levels.</b> Objects and records for people: {@link org.chagres.verbs.SendRequest}, {@link org.chagres.verbs.Completion}; everything is
 * checked. Beneath, the same work laid out once in native memory and only patched: {@link org.chagres.verbs.PreparedSends},
 * {@link org.chagres.verbs.PreparedReceives}, {@link org.chagres.verbs.CompletionBatch}; addresses are {@code long}s, results are numbers, nothing
 * is allocated, and only what could crash the JVM is checked.
 *
 * <p><b>Ownership is a tree</b>: context, protection domain, region and queue pair, and so on. Closing a parent closes its children first; use after
 * close is an {@link java.lang.IllegalStateException} that names the object.
 *
 * <p><b>Threads.</b> All objects may be used from any thread, except that a prepared object (or a batch) is used by one thread at a time, and
 * closed, directly or through its parents, by that thread or after that thread has stopped using it.
 *
 * <p><b>Errors.</b> {@link org.chagres.verbs.VerbsException} for what a device or the kernel refuses, with the call, errno and the likely cause;
 * {@link java.lang.IllegalArgumentException} for an argument that no device could take.
 */
package org.chagres.verbs;
