/**
 * Tests of the verbs API against a real device, tagged {@code rdma}: they are skipped, with the reason, where there is none. What they expect of the
 * order and kind of errors is what the kernel's soft-RoCE does; they run in the lab's guest, as root.
 */
package org.chagres.verbs.device;
