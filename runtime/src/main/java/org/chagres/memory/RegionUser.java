package org.chagres.memory;

/** Someone, such as a communicator, whose operations touch the regions of a domain. */
public interface RegionUser {
    /** Waits until no running operation touches {@code region}; called after it was marked closed, so that no new one begins. */
    void quiesce(Region region);
}
