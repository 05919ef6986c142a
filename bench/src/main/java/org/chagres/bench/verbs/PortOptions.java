package org.chagres.bench.verbs;

import org.chagres.bench.UsageException;
import org.chagres.verbs.Context;
import org.chagres.verbs.DeviceAttributes;
import picocli.CommandLine.Option;

/** The options of a command that works on one port of a device, as in libibverbs' examples and perftest. */
public final class PortOptions {
    @Option(names = {"-d",
            "--ib-dev" }, paramLabel = "DEVICE", description = "The RDMA device (default: the first; ./chagres devices lists them).")
    private String device;

    @Option(names = {"-i",
            "--ib-port" }, paramLabel = "PORT", defaultValue = "1", description = "The port of the device (default: ${DEFAULT-VALUE}).")
    private int port;

    /** The number of the port, from 1 on. */
    public int port() {
        return port;
    }

    /**
     * Opens the device.
     *
     * @return to be closed
     * @throws UsageException if there is no such device or port, or nothing to reach devices with
     * @throws org.chagres.verbs.VerbsException if it cannot be opened
     */
    public Context open() {
        final Context context = Devices.named(Devices.all(), device).open();
        final DeviceAttributes attributes = context.attributes();
        if (port < 1 || port > attributes.ports()) {
            final String name = context.device().name();
            context.close();
            throw new UsageException("-i " + port + ": " + name + " has ports 1 to " + attributes.ports());
        }
        return context;
    }
}
