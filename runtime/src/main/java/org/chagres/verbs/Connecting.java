package org.chagres.verbs;

import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The way of a queue pair from RESET to RTS, alike for all providers. */
final class Connecting {
    /** Devices grant 16 on most hardware; more brings nothing for reads of ordinary size. */
    private static final int USUAL_RD_ATOMIC = 16;

    private Connecting() {
    }

    static Endpoint endpoint(final QueuePair queuePair, final ConnectionOptions options) {
        final Context context = queuePair.protectionDomain().context();
        final PortAttributes port = context.port(options.port());
        final int index = gidIndex(context, port, options);
        final Gid gid = index == ConnectionOptions.AUTOMATIC ? Gid.ZERO : context.gid(options.port(), index).gid();
        final int psn = ThreadLocalRandom.current().nextInt(Range.MAX_24 + 1);
        return new Endpoint(queuePair.number(), psn, port.lid(), gid, port.activeMtu());
    }

    static void initialize(final QueuePair queuePair, final ConnectionOptions options) {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.INIT)
                .pkeyIndex(options.pkeyIndex())
                .port(options.port())
                .accessFlags(options.access()));
    }

    static void readyToReceive(final QueuePair queuePair, final Endpoint remote, final ConnectionOptions options) {
        final Context context = queuePair.protectionDomain().context();
        final PortAttributes port = context.port(options.port());
        final QueuePairAttributes connected = QueuePairAttributes.to(QueuePairState.RTR)
                .addressVector(route(context, port, remote, options))
                .pathMtu(options.mtu().orElseGet(() -> Mtu.min(port.activeMtu(), remote.mtu())))
                .destQpn(remote.queuePairNumber())
                .rqPsn(remote.packetSequenceNumber());
        queuePair.modify(queuePair.type() != QueuePairType.RC
                ? connected
                : connected.maxDestRdAtomic(rdAtomic(options, context.attributes().maxQpRdAtomic()))
                        .minRnrTimer(options.minRnrTimer()));
    }

    static void readyToSend(final QueuePair queuePair, final int psn, final ConnectionOptions options) {
        final QueuePairAttributes sending = QueuePairAttributes.to(QueuePairState.RTS).sqPsn(psn);
        if (queuePair.type() != QueuePairType.RC) {
            queuePair.modify(sending);
            return;
        }
        final DeviceAttributes device = queuePair.protectionDomain().context().attributes();
        queuePair.modify(sending.timeout(options.timeout())
                .retryCount(options.retryCount())
                .rnrRetry(options.rnrRetry())
                .maxRdAtomic(rdAtomic(options, device.maxQpInitRdAtomic())));
    }

    static void activateDatagrams(final QueuePair queuePair, final int port, final int qkey) {
        queuePair.modify(QueuePairAttributes.to(QueuePairState.INIT).pkeyIndex(0).port(port).qkey(qkey));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTR));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS).sqPsn(0));
    }

    private static AddressVector route(final Context context, final PortAttributes port, final Endpoint remote,
            final ConnectionOptions options) {
        final int index = gidIndex(context, port, options);
        final Optional<AddressVector.GlobalRoute> route = index == ConnectionOptions.AUTOMATIC
                ? Optional.empty()
                : Optional.of(new AddressVector.GlobalRoute(remote.gid(), index, options.hopLimit(),
                        options.trafficClass(), 0));
        return new AddressVector(options.port(), remote.lid(), options.serviceLevel(), 0, 0, route);
    }

    /** The row to send from; AUTOMATIC where a local identifier is enough. */
    private static int gidIndex(final Context context, final PortAttributes port, final ConnectionOptions options) {
        final boolean lidIsEnough = port.linkLayer() == LinkLayer.INFINIBAND && !port.grhRequired();
        if (options.gidIndex() != ConnectionOptions.AUTOMATIC || lidIsEnough) {
            return options.gidIndex();
        }
        return GidEntry.preferred(context.gids(options.port()))
                .orElseThrow(() -> new VerbsException(
                        "the GID table of " + context.device().name() + " port " + options.port()
                                + " has no usable row: give the network device " + context.device().networkDevices()
                                + " an address, and bring it up"))
                .index();
    }

    private static int rdAtomic(final ConnectionOptions options, final int limit) {
        return options.maxRdAtomic() == ConnectionOptions.AUTOMATIC
                ? Math.min(USUAL_RD_ATOMIC, limit)
                : options.maxRdAtomic();
    }
}
