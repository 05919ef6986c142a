package org.chagres.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.chagres.verbs.Access;
import org.chagres.verbs.AddressHandle;
import org.chagres.verbs.AddressVector;
import org.chagres.verbs.AsyncEvent;
import org.chagres.verbs.AsyncEventType;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Context;
import org.chagres.verbs.Destination;
import org.chagres.verbs.GidEntry;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.PreparedReceives;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.QueuePairs;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.SendFlag;
import org.chagres.verbs.SendRequest;
import org.chagres.verbs.SharedReceiveQueue;
import org.chagres.verbs.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several queue pairs that take their receive requests from one queue. */
@Tag("rdma")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SharedReceiveQueueTest {
    private static final int REQUESTS = 16;
    private static final int SLOT = 64;
    private static final int ENOMEM = 12;
    private static final int QKEY = 5;

    private Context context;
    private ProtectionDomain domain;
    private CompletionQueue sent;
    private CompletionQueue received;
    private SharedReceiveQueue shared;
    private MemorySegment memory;
    private MemoryRegion region;

    @BeforeEach
    void open() {
        context = Rdma.open();
        domain = context.allocateProtectionDomain();
        sent = context.createCompletionQueue(128);
        received = context.createCompletionQueue(128);
        shared = domain.createSharedReceiveQueue(REQUESTS, 2);
        memory = Arena.ofAuto().allocate(4096, 4096);
        region = domain.register(memory, Access.ALL);
    }

    @AfterEach
    void close() {
        if (context != null) {
            context.close();
        }
    }

    private QueuePair receiver(final QueuePairType type) {
        return domain.createQueuePair(QueuePairOptions.of(type, received).sharedReceiveQueue(shared));
    }

    private ReceiveRequest slot(final int i) {
        return ReceiveRequest.of(i, region.slice(1024 + (long) i * SLOT, 8),
                region.slice(1024 + (long) i * SLOT + 8, SLOT - 8));
    }

    /** The peers that send to the receivers, one each, connected. */
    private List<QueuePair> senders(final List<QueuePair> receivers) {
        final List<QueuePair> senders = new ArrayList<>();
        for (final QueuePair receiver : receivers) {
            final QueuePair sender = domain.createQueuePair(QueuePairOptions.of(receiver.type(), sent));
            if (receiver.type().isConnected()) {
                QueuePairs.connect(sender, receiver);
            } else {
                sender.activate(1, QKEY);
                receiver.activate(1, QKEY);
            }
            senders.add(sender);
        }
        return senders;
    }

    private Optional<Destination> to(final QueuePair receiver) {
        if (receiver.type().isConnected()) {
            return Optional.empty();
        }
        final GidEntry row = GidEntry.preferred(context.gids(1)).orElseThrow();
        final AddressHandle address = domain.createAddressHandle(AddressVector.of(1, row.index(), row.gid()));
        return Optional.of(new Destination(address, receiver.number(), QKEY));
    }

    @ParameterizedTest
    @EnumSource(value = QueuePairType.class, names = {"RC", "UD" })
    void messagesOfAllQueuePairsTakeRequestsInTurn(final QueuePairType type) {
        final List<QueuePair> receivers = List.of(receiver(type), receiver(type), receiver(type));
        final List<QueuePair> senders = senders(receivers);
        final int header = type.isConnected() ? 0 : AddressHandle.ROUTING_HEADER_BYTES;
        try (PreparedReceives prepared = shared.prepareReceives(REQUESTS, 2)) {
            for (int i = 0; i < REQUESTS; i++) {
                Way.lay(prepared, i, slot(i));
            }
            // Half of them as objects, half prepared, past the end of the ring of slots.
            for (int i = 0; i < REQUESTS / 2; i++) {
                shared.postReceive(slot(i));
            }
            assertEquals(0, prepared.post(REQUESTS / 2, REQUESTS / 2));
        }
        for (int i = 0; i < REQUESTS; i++) {
            final int who = i * 7 % receivers.size();
            memory.set(ValueLayout.JAVA_LONG, 0, 1000 + i);
            senders.get(who)
                    .post(new SendRequest.Send(i, List.of(region.slice(0, 8)), to(receivers.get(who)),
                            java.util.Set.of(SendFlag.SIGNALED)));
            final Completion.Success got = Rdma.success(received, i);
            assertEquals(receivers.get(who).number(), got.queuePairNumber());
            assertEquals(8 + header, got.byteLength());
            assertEquals(1000 + i, memory.get(ValueLayout.JAVA_LONG_UNALIGNED, 1024 + (long) i * SLOT + header));
            Rdma.success(sent, i);
        }
    }

    @Test
    void limitIsToldOnce() throws InterruptedException {
        final QueuePair receiver = receiver(QueuePairType.RC);
        final QueuePair sender = senders(List.of(receiver)).getFirst();
        for (int i = 0; i < 6; i++) {
            shared.postReceive(slot(i));
        }
        shared.armLimit(4);
        assertEquals(4, shared.limit());
        for (int i = 0; i < 6; i++) {
            assertEquals(Optional.empty(), i < 3 ? context.pollEvent() : Optional.empty());
            sender.post(SendRequest.send(i, region.slice(0, 8)));
            Rdma.success(received, i);
        }
        final AsyncEvent event = context.awaitEvent(Rdma.PATIENCE).orElseThrow();
        assertEquals(AsyncEventType.SRQ_LIMIT_REACHED, event.type());
        assertSame(shared, event.source());
        assertEquals(0, shared.limit());
        assertEquals(Optional.empty(), context.awaitEvent(Rdma.MOMENT));
    }

    @Test
    void receiversWaitForRequestsThatComeLate() {
        final QueuePair receiver = receiver(QueuePairType.RC);
        final QueuePair sender = senders(List.of(receiver)).getFirst();
        sender.post(SendRequest.send(1, region.slice(0, 8)));
        Rdma.nothing(received);
        shared.postReceive(slot(3));
        Rdma.success(received, 3);
        Rdma.success(sent, 1);
    }

    @Test
    void moreRequestsThanItHoldsAreRefused() {
        int posted = 0;
        VerbsException full = null;
        while (full == null && posted < 10 * REQUESTS) {
            try {
                shared.postReceive(ReceiveRequest.of(posted, region.slice(0, 8)));
                posted++;
            } catch (final VerbsException e) {
                full = e;
            }
        }
        assertTrue(full != null && posted >= shared.maxWr(), posted + " requests fit");
        assertEquals(ENOMEM, full.errno());
        assertTrue(full.getMessage().contains("full"), full.getMessage());
        try (PreparedReceives prepared = shared.prepareReceives(2, 1)) {
            prepared.receive(0, 1);
            assertEquals(ENOMEM, prepared.post(0, 1));
            assertEquals(0, prepared.posted());
        }
    }

    @Test
    void theQueuePairsOwnReceiveQueueIsNot() {
        final QueuePair receiver = receiver(QueuePairType.RC);
        receiver.initialize(ConnectionOptions.defaults());
        assertThrows(IllegalStateException.class, () -> receiver.postReceive(slot(0)));
        assertThrows(IllegalStateException.class, () -> receiver.prepareReceives(1, 1));
        assertSame(shared, receiver.sharedReceiveQueue().orElseThrow());
    }

    @Test
    void closingItClosesItsQueuePairs() {
        final QueuePair receiver = receiver(QueuePairType.RC);
        shared.close();
        assertTrue(receiver.isClosed());
        assertThrows(IllegalStateException.class, () -> shared.postReceive(slot(0)));
    }

    @Test
    void badSizesAreRefused() {
        final int most = context.attributes().maxSrqWr();
        final int mostEntries = context.attributes().maxSrqSge();
        assertThrows(IllegalArgumentException.class, () -> domain.createSharedReceiveQueue(0, 1));
        assertThrows(IllegalArgumentException.class, () -> domain.createSharedReceiveQueue(most + 1, 1));
        assertThrows(IllegalArgumentException.class, () -> domain.createSharedReceiveQueue(1, mostEntries + 1));
        assertThrows(IllegalArgumentException.class, () -> shared.armLimit(-1));
        assertThrows(IllegalArgumentException.class, () -> shared.armLimit(shared.maxWr() + 1));
        assertThrows(IllegalArgumentException.class, () -> shared.prepareReceives(0, 1));
        assertThrows(IllegalArgumentException.class, () -> shared.prepareReceives(1, shared.maxSge() + 1));
    }
}
