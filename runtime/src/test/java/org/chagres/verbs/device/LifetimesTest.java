package org.chagres.verbs.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.chagres.verbs.Access;
import org.chagres.verbs.AddressHandle;
import org.chagres.verbs.AddressVector;
import org.chagres.verbs.Completion;
import org.chagres.verbs.CompletionBatch;
import org.chagres.verbs.CompletionChannel;
import org.chagres.verbs.CompletionOpcode;
import org.chagres.verbs.CompletionQueue;
import org.chagres.verbs.ConnectionOptions;
import org.chagres.verbs.Context;
import org.chagres.verbs.Endpoint;
import org.chagres.verbs.MemoryRegion;
import org.chagres.verbs.PreparedReceives;
import org.chagres.verbs.PreparedSends;
import org.chagres.verbs.ProtectionDomain;
import org.chagres.verbs.QueuePair;
import org.chagres.verbs.QueuePairAttributes;
import org.chagres.verbs.QueuePairOptions;
import org.chagres.verbs.QueuePairState;
import org.chagres.verbs.QueuePairType;
import org.chagres.verbs.ReceiveRequest;
import org.chagres.verbs.SendRequest;
import org.chagres.verbs.SharedReceiveQueue;
import org.chagres.verbs.VerbsObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who closes whom, what every method does after that, and that the kernel keeps nothing. */
@Tag("rdma")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LifetimesTest {
    /** What does not change and needs no device may still be asked of a closed object. */
    private static final Set<String> MAY_BE_ASKED = Set.of("isClosed", "close", "toString", "hashCode", "equals",
            "context", "device", "protectionDomain", "address", "length", "localKey", "remoteKey", "access", "slice",
            "remote", "number", "type", "sendQueue", "receiveQueue", "sharedReceiveQueue", "capacities", "queuePair",
            "slots", "gatherEntries", "scatterEntries", "posted", "capacity", "maxWr", "maxSge", "channel");

    private final Map<Class<? extends VerbsObject>, VerbsObject> objects = new LinkedHashMap<>();
    private Map<String, Integer> before;
    private Context context;

    private <T extends VerbsObject> T add(final Class<T> type, final T object) {
        objects.put(type, object);
        return object;
    }

    /** One object of each kind, all alive. */
    @BeforeEach
    void open() {
        Rdma.provider();
        before = Machine.resources();
        context = add(Context.class, Rdma.open());
        final ProtectionDomain domain = add(ProtectionDomain.class, context.allocateProtectionDomain());
        final CompletionChannel channel = add(CompletionChannel.class, context.createCompletionChannel());
        final CompletionQueue queue = add(CompletionQueue.class, context.createCompletionQueue(16, channel));
        add(CompletionBatch.class, queue.prepareBatch(4));
        add(MemoryRegion.class, domain.register(Arena.ofAuto().allocate(4096, 4096), Access.ALL));
        final SharedReceiveQueue shared = add(SharedReceiveQueue.class, domain.createSharedReceiveQueue(8, 1));
        add(PreparedReceives.class, shared.prepareReceives(2, 1));
        final QueuePair pair = add(QueuePair.class, domain.createQueuePair(QueuePairOptions.rc(queue)));
        pair.connectLoopback();
        add(PreparedSends.class, pair.prepareSends(2, 1));
        final int row = context.gids(1).getFirst().index();
        add(AddressHandle.class,
                domain.createAddressHandle(AddressVector.of(1, row, context.gids(1).getFirst().gid())));
    }

    @AfterEach
    void nothingIsLeft() {
        if (context != null) {
            context.close();
            assertEquals(before, Machine.resources());
        }
    }

    /** Every method of every kind of object: an {@link IllegalStateException} that names the object, and no crash. */
    @Test
    void useAfterCloseIsRefused() {
        context.close();
        final Set<String> usable = new TreeSet<>();
        objects.forEach((type, object) -> {
            assertTrue(object.isClosed(), object::toString);
            object.close();
            for (final Method method : type.getMethods()) {
                if (!Modifier.isStatic(method.getModifiers()) && method.getDeclaringClass() != Object.class
                        && !MAY_BE_ASKED.contains(method.getName())) {
                    use(object, method).ifPresent(usable::add);
                }
            }
        });
        assertEquals(Set.of(), usable);
    }

    /** What is wrong about the answer of a closed object's method, if anything is. */
    private Optional<String> use(final VerbsObject object, final Method method) {
        final Object[] arguments = Arrays.stream(method.getParameterTypes()).map(this::argument).toArray();
        final String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
        try {
            return Optional.of(name + " returned " + method.invoke(object, arguments));
        } catch (final InvocationTargetException e) {
            final Throwable thrown = e.getCause();
            final boolean right = thrown instanceof IllegalStateException
                    && String.valueOf(thrown.getMessage()).contains("closed");
            return right ? Optional.empty() : Optional.of(name + " threw " + thrown);
        } catch (final IllegalAccessException e) {
            return Optional.of(name + " cannot be called: " + e);
        }
    }

    /** Something that would be right if everything were open. */
    private Object argument(final Class<?> type) {
        final VerbsObject object = objects.get(type);
        if (object != null) {
            return object;
        }
        final MemoryRegion region = (MemoryRegion) objects.get(MemoryRegion.class);
        final ConnectionOptions options = ConnectionOptions.defaults();
        final Endpoint end = new Endpoint(1, 2, 0, org.chagres.verbs.Gid.ZERO, org.chagres.verbs.Mtu.MTU_1024);
        final List<Object> values = List.of(1, 1L, false, Duration.ofMillis(1), options, end, Access.LOCAL,
                MemorySegment.ofAddress(region.address()).reinterpret(64), QueuePairAttributes.to(QueuePairState.ERR),
                new SendRequest[]{SendRequest.write(1, region.slice(), region.remote(0)) },
                new ReceiveRequest[]{ReceiveRequest.of(1) }, AddressVector.of(1, 0, org.chagres.verbs.Gid.ZERO),
                QueuePairOptions.rc((CompletionQueue) objects.get(CompletionQueue.class)),
                new Completion.Success(1, 1, CompletionOpcode.RECV, 40, java.util.OptionalInt.empty(), 1, 0, 0, 0,
                        true));
        return values.stream()
                .filter(value -> java.lang.invoke.MethodType.methodType(type).wrap().returnType().isInstance(value))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no value of " + type));
    }

    /** Each object by itself, in the order of the tree and against it. */
    @Test
    void anObjectClosesWhatDependsOnItAndNothingElse() {
        close(SharedReceiveQueue.class, List.of(PreparedReceives.class));
        close(CompletionChannel.class,
                List.of(CompletionQueue.class, CompletionBatch.class, QueuePair.class, PreparedSends.class));
        close(ProtectionDomain.class, List.of(MemoryRegion.class, AddressHandle.class));
        close(Context.class, List.of());
    }

    private void close(final Class<? extends VerbsObject> owner,
            final List<Class<? extends VerbsObject>> dependents) {
        final Set<Class<? extends VerbsObject>> expected = new java.util.HashSet<>(dependents);
        expected.add(owner);
        objects.forEach((type, object) -> {
            if (object.isClosed()) {
                expected.add(type);
            }
        });
        objects.get(owner).close();
        objects.forEach((type, object) -> assertEquals(expected.contains(type), object.isClosed(), object::toString));
    }

    @Test
    void closingAQueuePairLeavesItsQueueUsable() {
        final CompletionQueue queue = (CompletionQueue) objects.get(CompletionQueue.class);
        objects.get(QueuePair.class).close();
        assertTrue(objects.get(PreparedSends.class).isClosed());
        assertFalse(queue.isClosed());
        assertEquals(Optional.empty(), queue.poll());
    }

    /** One thread closes what others are using: they get exceptions, and the JVM lives. */
    @Test
    void closingWhileOthersUseIt() throws Exception {
        for (int round = 0; round < 8; round++) {
            final Couple couple = Couple.of(QueuePairType.RC);
            final List<CompletableFuture<Throwable>> users = new ArrayList<>();
            users.add(until(() -> couple.a.pair()
                    .post(SendRequest.write(1, couple.a.region().slice(0, 8), couple.b.region().remote(0)))));
            users.add(until(() -> couple.a.queue().poll(4)));
            users.add(until(() -> couple.b.pair().query()));
            users.add(until(() -> couple.domain.register(couple.a.memory(), Access.ALL).close()));
            users.add(until(() -> couple.context.createCompletionQueue(4).close()));
            Thread.sleep(20L * round);
            if (round % 2 == 0) {
                couple.a.pair().close();
                couple.a.queue().close();
                couple.domain.close();
            }
            couple.close();
            for (final CompletableFuture<Throwable> user : users) {
                assertEquals(IllegalStateException.class, user.get().getClass(), () -> String.valueOf(user.join()));
            }
        }
    }

    /** Uses something until that fails; a full queue is no failure. */
    private static CompletableFuture<Throwable> until(final Runnable use) {
        return CompletableFuture.supplyAsync(() -> {
            while (true) {
                try {
                    use.run();
                } catch (final org.chagres.verbs.VerbsException full) {
                    if (full.errno() != 12) {
                        return full;
                    }
                } catch (final RuntimeException end) {
                    return end;
                }
            }
        }, task -> Thread.ofPlatform().start(task));
    }

    /** What is refused half way through leaves nothing behind. */
    @Test
    void whatFailsLeavesNothingBehind() {
        final Map<String, Integer> held = Machine.resources();
        final ProtectionDomain domain = (ProtectionDomain) objects.get(ProtectionDomain.class);
        final CompletionQueue queue = (CompletionQueue) objects.get(CompletionQueue.class);
        for (int i = 0; i < 20; i++) {
            assertThrows(RuntimeException.class, () -> domain.register(1L << 40, 4096, Access.ALL));
            assertThrows(RuntimeException.class, () -> context.createCompletionQueue(Integer.MAX_VALUE));
            assertThrows(RuntimeException.class,
                    () -> domain.createQueuePair(QueuePairOptions.rc(queue).inline(1 << 20)));
            assertThrows(RuntimeException.class, () -> domain.createSharedReceiveQueue(Integer.MAX_VALUE, 1));
        }
        assertEquals(held, Machine.resources());
    }

    /** Closing hundreds of objects at once, youngest first. */
    @Test
    void aLargeTreeCloses() {
        final ProtectionDomain domain = (ProtectionDomain) objects.get(ProtectionDomain.class);
        final CompletionQueue queue = (CompletionQueue) objects.get(CompletionQueue.class);
        final MemorySegment memory = Arena.ofAuto().allocate(64);
        for (int i = 0; i < 50; i++) {
            domain.createQueuePair(QueuePairOptions.rc(queue)).prepareSends(1, 1);
            domain.register(memory, Access.LOCAL);
            context.createCompletionQueue(1).prepareBatch(1);
        }
        assertEquals(before.get("qp") + 51, Machine.resources().get("qp"));
        context.close();
        assertEquals(before, Machine.resources());
    }
}
