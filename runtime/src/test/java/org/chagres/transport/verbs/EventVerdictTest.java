package org.chagres.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.chagres.verbs.AsyncEvent;
import org.chagres.verbs.AsyncEventType;
import org.chagres.verbs.Context;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.PortAttributes;
import org.chagres.verbs.PortState;
import org.chagres.verbs.TransportType;
import org.chagres.verbs.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EventVerdictTest {
    private static final Set<AsyncEventType> ENDING = EnumSet.of(AsyncEventType.CQ_ERR, AsyncEventType.QP_FATAL,
            AsyncEventType.QP_REQ_ERR,
            AsyncEventType.QP_ACCESS_ERR, AsyncEventType.DEVICE_FATAL, AsyncEventType.SRQ_ERR, AsyncEventType.WQ_FATAL);
    private static final UsablePort OURS = Ends.port("mlx5_0", "::ffff:10.0.0.1", Mtu.MTU_4096);

    private static EventVerdict judge(final AsyncEventType type, final int port, final PortAttributes now,
            final List<GidEntry> gids) {
        return new EventJudge(new AsyncEvent(type, type.code(), null, port), OURS, now, gids, VerbsSettings.DEFAULTS)
                .verdict();
    }

    private static EventVerdict gidChange(final GidEntry... now) {
        return judge(AsyncEventType.GID_CHANGE, 1, OURS.attributes(), List.of(now));
    }

    @ParameterizedTest
    @EnumSource(AsyncEventType.class)
    void everyEventHasWordsAndOnlyBrokenObjectsEndTheCommunicator(final AsyncEventType type) {
        final EventVerdict verdict = judge(type, 0, OURS.attributes(), List.of(OURS.gid().chosen()));
        assertTrue(verdict.concerns());
        assertEquals(ENDING.contains(type), verdict.ends());
        assertTrue(verdict.words().startsWith("mlx5_0: " + type.meaning()), verdict.words());
    }

    @ParameterizedTest
    @EnumSource(AsyncEventType.class)
    void anotherPortIsNoConcern(final AsyncEventType type) {
        final EventVerdict verdict = judge(type, 2, OURS.attributes(), List.of());
        assertFalse(verdict.concerns() || verdict.ends());
    }

    @Test
    void aPortThatIsDownHasUntilTheTimeout() {
        final EventVerdict verdict = judge(AsyncEventType.PORT_ERR, 1,
                FakeDevice.attributes(1, PortState.DOWN, LinkLayer.ETHERNET, Mtu.MTU_4096, 0, 0), List.of());
        assertFalse(verdict.ends());
        assertTrue(
                verdict.words().startsWith("mlx5_0:1: ") && verdict.words().contains("it is DOWN now")
                        && verdict.words().contains("within 2.15 s"),
                verdict.words());
    }

    @Test
    void aGidEndsTheCommunicatorOnlyIfItWasItsOwn() {
        final GidEntry own = OURS.gid().chosen();
        final GidEntry other = FakeDevice.row(1, 5, "2001:db8::1", GidType.ROCE_V2, "eth0");
        assertFalse(gidChange(other, own).ends());
        assertTrue(gidChange(other).ends());
        assertTrue(
                gidChange(other).words().contains("row 3 (::ffff:10.0.0.1, RoCE v2, eth0), and that row is now empty"),
                gidChange(other).words());
        final EventVerdict replaced = gidChange(FakeDevice.row(1, 3, "::ffff:10.0.0.7", GidType.ROCE_V2, "eth0"));
        assertTrue(replaced.ends() && replaced.words().contains("that row is now (::ffff:10.0.0.7, RoCE v2, eth0)"),
                replaced.words());
        assertTrue(gidChange(FakeDevice.row(1, 3, "::ffff:10.0.0.1", GidType.ROCE_V1, "eth0")).ends());
    }

    @Test
    void aLidEndsTheCommunicatorOnlyOnInfiniBand() {
        final PortAttributes changed = FakeDevice.attributes(1, PortState.ACTIVE, LinkLayer.INFINIBAND, Mtu.MTU_4096, 0,
                9);
        assertFalse(judge(AsyncEventType.LID_CHANGE, 1, changed, List.of()).ends());
        final UsablePort infiniBand = new UsablePort(new FakeDevice("mlx5_0", 0, TransportType.INFINIBAND),
                new PortName("mlx5_0", 1),
                FakeDevice.attributes(1, PortState.ACTIVE, LinkLayer.INFINIBAND, Mtu.MTU_4096, 0, 7), OURS.gid(),
                OptionalInt.empty());
        final AsyncEvent event = new AsyncEvent(AsyncEventType.LID_CHANGE, 11, null, 1);
        assertTrue(new EventJudge(event, infiniBand, changed, List.of(), VerbsSettings.DEFAULTS).verdict()
                .words()
                .contains("LID 7 has become 9"));
        assertFalse(
                new EventJudge(event, infiniBand, infiniBand.attributes(), List.of(), VerbsSettings.DEFAULTS).verdict()
                        .ends());
    }

    @Test
    void aDeadDeviceIsAskedNothing() {
        final FakeDevice device = new FakeDevice("mlx5_0", 0, TransportType.INFINIBAND).port(1, PortState.DOWN,
                LinkLayer.ETHERNET, Mtu.MTU_4096, 0);
        final Context context = device.open();
        assertTrue(EventVerdict
                .of(new AsyncEvent(AsyncEventType.PORT_ERR, 10, context, 1), OURS, context, VerbsSettings.DEFAULTS)
                .words()
                .contains("it is DOWN now"));
        assertTrue(EventVerdict
                .of(new AsyncEvent(AsyncEventType.DEVICE_FATAL, 8, null, 0), OURS, null, VerbsSettings.DEFAULTS)
                .ends());
    }

    @Test
    void aDeviceThatNoLongerAnswersEndsTheCommunicator() {
        final Context dead = (Context) java.lang.reflect.Proxy.newProxyInstance(Context.class.getClassLoader(),
                new Class<?>[]{Context.class },
                (_, method, _) -> {
                    throw new VerbsException(method.getName() + " failed with EIO", "ibv_query_port", 5);
                });
        final EventVerdict verdict = EventVerdict.of(new AsyncEvent(AsyncEventType.PORT_ERR, 10, null, 1), OURS, dead,
                VerbsSettings.DEFAULTS);
        assertTrue(verdict.ends() && verdict.words().contains("EIO"), verdict.words());
    }
}
