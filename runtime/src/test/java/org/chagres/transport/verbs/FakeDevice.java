package org.chagres.transport.verbs;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.chagres.verbs.AtomicCapability;
import org.chagres.verbs.CmEventChannel;
import org.chagres.verbs.Context;
import org.chagres.verbs.Device;
import org.chagres.verbs.DeviceAttributes;
import org.chagres.verbs.Gid;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.NodeType;
import org.chagres.verbs.PortAttributes;
import org.chagres.verbs.PortState;
import org.chagres.verbs.TransportType;
import org.chagres.verbs.VerbsException;
import org.chagres.verbs.VerbsProvider;

/** A device of values: ports and rows of GID tables as a test sets them. Counts how often it is open. */
final class FakeDevice implements Device {
    static final int SPEED_25 = 32;
    static final int SPEED_50 = 64;

    private final String name;
    private final OptionalInt numaNode;
    private final TransportType transport;
    private final Map<Integer, PortAttributes> ports = new TreeMap<>();
    private final List<GidEntry> gids = new ArrayList<>();
    private VerbsException refusal;
    int opened;
    int open;

    FakeDevice(final String name, final int numaNode, final TransportType transport) {
        this.name = name;
        this.numaNode = numaNode < 0 ? OptionalInt.empty() : OptionalInt.of(numaNode);
        this.transport = transport;
    }

    /** An Ethernet device with one good port. */
    static FakeDevice roce(final String name, final int numaNode, final String address) {
        return new FakeDevice(name, numaNode, TransportType.INFINIBAND)
                .port(1, PortState.ACTIVE, LinkLayer.ETHERNET, Mtu.MTU_4096, SPEED_50)
                .gid(1, 3, address, GidType.ROCE_V2, "eth-" + name);
    }

    static PortAttributes attributes(final int port, final PortState state, final LinkLayer layer, final Mtu mtu,
            final int speed, final int lid) {
        return new PortAttributes(port, state, Mtu.MTU_4096, mtu, 256, 128, 1L << 30, lid, 1, 0, layer, 2, speed,
                state == PortState.ACTIVE ? 5 : 3, 0,
                layer == LinkLayer.ETHERNET);
    }

    FakeDevice port(final int port, final PortState state, final LinkLayer layer, final Mtu mtu, final int speed) {
        ports.put(port, attributes(port, state, layer, mtu, speed, layer == LinkLayer.INFINIBAND ? 7 : 0));
        return this;
    }

    FakeDevice gid(final int port, final int index, final String gid, final GidType type, final String networkDevice) {
        gids.add(row(port, index, gid, type, networkDevice));
        return this;
    }

    static GidEntry row(final int port, final int index, final String gid, final GidType type,
            final String networkDevice) {
        return new GidEntry(port, index, Gid.parse(gid), type,
                Optional.of(networkDevice).filter(one -> !one.isEmpty()));
    }

    FakeDevice refusing(final VerbsException failure) {
        refusal = failure;
        return this;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long guid() {
        return 0;
    }

    @Override
    public OptionalInt index() {
        return OptionalInt.empty();
    }

    @Override
    public NodeType nodeType() {
        return NodeType.CA;
    }

    @Override
    public TransportType transport() {
        return transport;
    }

    @Override
    public Optional<String> firmware() {
        return Optional.empty();
    }

    @Override
    public OptionalInt numaNode() {
        return numaNode;
    }

    @Override
    public List<String> networkDevices() {
        return transport == TransportType.INFINIBAND
                && ports.values().stream().anyMatch(port -> port.linkLayer() == LinkLayer.ETHERNET)
                        ? List.of("eth-" + name)
                        : List.of();
    }

    @Override
    public Context open() {
        opened++;
        if (refusal != null) {
            throw refusal;
        }
        open++;
        return (Context) Proxy.newProxyInstance(FakeDevice.class.getClassLoader(), new Class<?>[]{Context.class },
                (_, method, arguments) -> switch (method.getName()) {
                    case "device" -> this;
                    case "attributes" ->
                        new DeviceAttributes("", 0, 0, 0, 0, 0, ports.size(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                AtomicCapability.NONE, 0, 0, 0, 0, 0, 0, 0);
                    case "port" -> ports.get((int) arguments[0]);
                    case "gids" -> gids.stream().filter(row -> row.port() == (int) arguments[0]).toList();
                    case "pkeys" -> List.of(0xffff, 0, 0x8001);
                    case "close" -> {
                        open--;
                        yield null;
                    }
                    default -> throw new AssertionError("nobody should call " + method);
                });
    }

    /** A provider of these devices; {@code unavailable} is empty if it works. */
    static VerbsProvider provider(final String unavailable, final List<? extends Device> devices) {
        return new VerbsProvider() {
            @Override
            public String name() {
                return "fake";
            }

            @Override
            public Optional<String> unavailable() {
                return Optional.of(unavailable).filter(reason -> !reason.isEmpty());
            }

            @Override
            public List<Device> devices() {
                return List.copyOf(devices);
            }

            @Override
            public Optional<String> connectionManagerUnavailable() {
                return Optional.empty();
            }

            @Override
            public CmEventChannel createEventChannel() {
                throw new AssertionError("nobody should connect");
            }
        };
    }
}
