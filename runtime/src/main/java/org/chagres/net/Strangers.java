package org.chagres.net;

import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connections of those who do not belong to the world. The first is worth a line; a port scanner must not fill the log. Any thread may use it. */
public final class Strangers {
    private static final Logger LOG = LoggerFactory.getLogger(Strangers.class);

    private final AtomicLong count = new AtomicLong();

    /** Counts a connection that was refused. */
    void refused(final InetSocketAddress from, final InetSocketAddress at, final String why) {
        if (count.getAndIncrement() == 0) {
            LOG.warn("refused a connection from {} at {}: {}; the job goes on, and further ones are only counted",
                    from, at, why);
        } else {
            LOG.debug("refused a connection from {} at {}: {}", from, at, why);
        }
    }

    /** How many connections were refused. */
    public long count() {
        return count.get();
    }
}
