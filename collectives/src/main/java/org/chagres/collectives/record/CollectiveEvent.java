package org.chagres.collectives.record;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** One collective or message of one rank, for Java Flight Recorder. Off unless a recording asks for it: {@code org.chagres.Collective#enabled=true}. */
@Name("org.chagres.Collective")
@Label("Collective")
@Category("Chagres")
@Description("A collective operation or message of one rank")
@Enabled(false)
@StackTrace(false)
public final class CollectiveEvent extends Event {
    private static final CollectiveEvent PROBE = new CollectiveEvent();

    @Label("Collective")
    public String collective;

    @Label("Communicator")
    @Description("Id, equal on all ranks")
    public long communicator;

    @Label("Rank")
    public int rank;

    @Label("Ranks")
    public int size;

    @Label("Sequence")
    @Description("Number of the operation on this communicator")
    public long sequence;

    @Label("Bytes")
    @Description("The tensor: count times element size")
    @DataAmount
    public long bytes;

    @Label("Data Type")
    public String type;

    @Label("Reduce Op")
    public String op;

    @Label("Root")
    public int root;

    @Label("Algorithm")
    public String algorithm;

    @Label("Transport")
    public String transport;

    @Label("Wait Time")
    @Description("While there was nothing to do until a peer did something")
    @Timespan(Timespan.NANOSECONDS)
    public long wait;

    @Label("Transfer Time")
    @Description("While bytes were moved or reduced")
    @Timespan(Timespan.NANOSECONDS)
    public long transfer;

    /** Whether any recording wants these events. Costs a field read. */
    public static boolean wanted() {
        return PROBE.isEnabled();
    }
}
