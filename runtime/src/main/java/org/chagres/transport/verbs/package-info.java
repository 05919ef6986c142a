/**
 * The transport over RDMA verbs: RDMA writes for data, writes with immediate for signals, over reliable connected queue pairs.
 *
 * <p>What it decides (settings, the port and GID of each rank, whether two ends fit together) and what it tells people (why verbs is not used, why a
 * request failed, what an asynchronous event means) are pure functions of values, apart from what touches a device.
 */
package org.chagres.transport.verbs;
