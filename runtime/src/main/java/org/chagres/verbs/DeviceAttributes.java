package org.chagres.verbs;

/**
 * What an open device can do ({@code ibv_device_attr}). Limits are upper bounds: with other resources in use, less may be possible.
 *
 * @param firmware the version of its firmware, as the vendor writes it
 * @param nodeGuid in host byte order
 * @param systemImageGuid in host byte order
 * @param vendorId IEEE vendor number
 * @param vendorPartId the vendor's part number
 * @param hardwareVersion as the vendor counts
 * @param ports how many; they are numbered from 1 on
 * @param maxMrSize bytes of the largest memory region; unsigned, so that -1 is no limit
 * @param pageSizes the memory page sizes that it knows, as a bit mask
 * @param maxQp queue pairs
 * @param maxQpWr requests that a queue of a queue pair holds
 * @param maxSge gather or scatter entries of a request
 * @param maxSgeRead scatter entries of an RDMA read
 * @param maxCq completion queues
 * @param maxCqe entries of a completion queue
 * @param maxMr memory regions
 * @param maxPd protection domains
 * @param maxQpRdAtomic incoming RDMA reads and atomics that a queue pair serves at a time
 * @param maxQpInitRdAtomic outgoing RDMA reads and atomics that a queue pair has in flight at a time
 * @param atomics how atomic the atomic operations are
 * @param maxAh address handles
 * @param maxSrq shared receive queues; 0 if there are none
 * @param maxSrqWr requests that a shared receive queue holds
 * @param maxSrqSge scatter entries of a request to a shared receive queue
 * @param maxPkeys partition keys of a port
 * @param localAckDelay the time within which it acknowledges: 4.096 us * 2^value
 * @param capabilities bits of {@code ibv_device_cap_flags}
 */
public record DeviceAttributes(String firmware, long nodeGuid, long systemImageGuid, int vendorId, int vendorPartId,
        int hardwareVersion, int ports,
        long maxMrSize, long pageSizes, int maxQp, int maxQpWr, int maxSge, int maxSgeRead, int maxCq, int maxCqe,
        int maxMr, int maxPd,
        int maxQpRdAtomic, int maxQpInitRdAtomic, AtomicCapability atomics, int maxAh, int maxSrq, int maxSrqWr,
        int maxSrqSge, int maxPkeys,
        int localAckDelay, long capabilities) {}
