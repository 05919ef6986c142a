package org.chagres.transport.verbs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.chagres.verbs.Context;
import org.chagres.verbs.Device;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.PortAttributes;
import org.chagres.verbs.PortState;
import org.chagres.verbs.TransportType;
import org.chagres.verbs.VerbsException;
import org.chagres.verbs.VerbsProvider;

/** Looks at the devices of this host, one after the other. */
final class Surveyor {
    private final VerbsSettings settings;
    private final List<VerbsProvider> providers;
    private final NetworkDevices network;
    private final List<PortName> present = new ArrayList<>();
    private final List<UsablePort> usable = new ArrayList<>();
    private final List<SkippedPort> skipped = new ArrayList<>();

    Surveyor(final VerbsSettings settings, final List<VerbsProvider> providers, final NetworkDevices network) {
        this.settings = settings;
        this.providers = List.copyOf(providers);
        this.network = network;
    }

    PortSurvey survey() {
        if (settings.disabled().isPresent()) {
            return PortSurvey.none(new VerbsProblem(VerbsProblem.Kind.DISABLED,
                    settings.disabled().get().text() + " switches it off"));
        }
        final List<String> reasons = new ArrayList<>();
        for (final VerbsProvider provider : providers) {
            final Optional<String> reason = provider.unavailable();
            if (reason.isEmpty()) {
                return survey(provider);
            }
            reasons.add(provider.name() + ": " + reason.get());
        }
        return PortSurvey.none(new VerbsProblem(VerbsProblem.Kind.UNAVAILABLE,
                reasons.isEmpty() ? "no provider of verbs is on the class path" : String.join("; ", reasons)));
    }

    private PortSurvey survey(final VerbsProvider provider) {
        try {
            provider.devices().forEach(this::look);
        } catch (final VerbsException e) {
            return PortSurvey.none(VerbsProblem.of(e));
        }
        if (present.isEmpty()) {
            return PortSurvey
                    .none(new VerbsProblem(VerbsProblem.Kind.UNAVAILABLE, provider.name() + " finds no RDMA device"));
        }
        final List<String> notes = settings.devices().check(present);
        return new PortSurvey(usable, skipped, notes, usable.isEmpty() ? Optional.of(problem()) : Optional.empty());
    }

    /** The reasons of all ports; of their kinds, a mistake in a setting counts most, and then the first that no setting excluded. */
    private VerbsProblem problem() {
        final VerbsProblem.Kind kind = skipped.stream()
                .map(SkippedPort::kind)
                .filter(one -> one != VerbsProblem.Kind.EXCLUDED)
                .min(Comparator.comparing(one -> one != VerbsProblem.Kind.SETTING))
                .orElse(VerbsProblem.Kind.EXCLUDED);
        return new VerbsProblem(kind, "no port can be used: "
                + skipped.stream().map(SkippedPort::toString).collect(Collectors.joining("; ")));
    }

    private void look(final Device device) {
        if (!settings.devices().mayAccept(device.name())) {
            present.add(new PortName(device.name(), 1));
            skip(device.name(), VerbsProblem.Kind.EXCLUDED, settings.devices().text() + " excludes it");
        } else if (device.transport() != TransportType.INFINIBAND) {
            present.add(new PortName(device.name(), 1));
            skip(device.name(), VerbsProblem.Kind.UNSUPPORTED_DEVICE,
                    "it speaks " + device.transport().text()
                            + ", and reliable connections are made over InfiniBand and RoCE only");
        } else {
            open(device);
        }
    }

    private void open(final Device device) {
        final int before = present.size();
        try (Context context = device.open()) {
            for (int port = 1; port <= context.attributes().ports(); port++) {
                final PortName name = new PortName(device.name(), port);
                present.add(name);
                if (settings.devices().accepts(name)) {
                    look(device, context, name);
                } else {
                    skip(name.toString(), VerbsProblem.Kind.EXCLUDED, settings.devices().text() + " excludes it");
                }
            }
        } catch (final VerbsException e) {
            if (present.size() == before) {
                present.add(new PortName(device.name(), 1));
            }
            final VerbsProblem problem = VerbsProblem.of(e);
            usable.removeIf(port -> port.device().equals(device));
            skip(device.name(), problem.kind(), problem.reason());
        }
    }

    private void look(final Device device, final Context context, final PortName name) {
        final PortAttributes port = context.port(name.port());
        if (port.state() != PortState.ACTIVE && port.state() != PortState.ACTIVE_DEFER) {
            skip(name.toString(), VerbsProblem.Kind.PORT_DOWN, inactive(device, port));
            return;
        }
        final Optional<String> pkey = settings.pkey().flatMap(asked -> emptyPkey(asked, context.pkeys(name.port())));
        if (pkey.isPresent()) {
            skip(name.toString(), VerbsProblem.Kind.SETTING, pkey.get());
            return;
        }
        final GidSelection selection = GidSelection.of(port.linkLayer(), context.gids(name.port()), settings.gids(),
                network);
        if (selection.choice().isPresent()) {
            final GidChoice choice = selection.choice().get();
            usable.add(new UsablePort(device, name, port, choice, networkMtu(choice)));
        } else {
            skip(name.toString(), selection.mistake() ? VerbsProblem.Kind.SETTING : VerbsProblem.Kind.NO_GID,
                    selection.refusal());
        }
    }

    private static Optional<String> emptyPkey(final Asked<Integer> asked, final List<Integer> pkeys) {
        return asked.value() < pkeys.size() && pkeys.get(asked.value()) != 0
                ? Optional.empty()
                : Optional.of(asked.text() + " names an empty row of its partition key table, which holds "
                        + pkeys.stream().filter(key -> key != 0).map(key -> "0x" + Integer.toHexString(key)).toList());
    }

    private static String inactive(final Device device, final PortAttributes port) {
        final String state = "the port is " + port.state() + " (physical state: " + port.physicalStateText() + "): ";
        final boolean configurable = port.linkLayer() == LinkLayer.INFINIBAND
                && (port.state() == PortState.INIT || port.state() == PortState.ARMED);
        if (configurable) {
            return state + "no subnet manager has configured it; start opensm, or look at the switch's";
        }
        return state + (device.networkDevices().isEmpty()
                ? "look at cable and switch"
                : "'ip link set " + device.networkDevices().getFirst() + " up', then look at cable and switch");
    }

    private OptionalInt networkMtu(final GidChoice choice) {
        return GidSelection.networkDevice(choice.chosen(), network)
                .map(device -> OptionalInt.of(device.mtu()))
                .orElseGet(OptionalInt::empty);
    }

    private void skip(final String name, final VerbsProblem.Kind kind, final String reason) {
        skipped.add(new SkippedPort(name, kind, reason));
    }
}
