package org.chagres.memory;

/** Someone, such as a communicator, whose operations touch the regions of a domain, or a device that has pinned them. Called by any thread. */
public interface RegionUser {
    /** Waits until no running operation touches {@code region}; called after it was marked closed, so that no new one begins. */
    void quiesce(Region region);

    /** Lets go of what was made for {@code region}, whose memory goes as soon as this returns; no operation touches it any more. */
    default void released(final Region region) {
        // Most keep nothing for a region.
    }
}
