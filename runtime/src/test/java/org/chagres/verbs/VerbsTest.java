package org.chagres.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VerbsTest {
    private record Provider(String name, Optional<String> unavailable) implements VerbsProvider {
        @Override
        public List<Device> devices() {
            return List.of();
        }

        @Override
        public Optional<String> connectionManagerUnavailable() {
            return Optional.of("none");
        }

        @Override
        public CmEventChannel createEventChannel() {
            throw new VerbsException("none");
        }
    }

    @Test
    void takesTheFirstProviderThatWorks() {
        final VerbsProvider absent = new Provider("a", Optional.of("no library"));
        final VerbsProvider first = new Provider("b", Optional.empty());
        assertSame(first, Verbs.firstAvailable(List.of(absent, first, new Provider("c", Optional.empty()))));
        final String message = assertThrows(VerbsException.class,
                () -> Verbs.firstAvailable(List.of(absent, new Provider("d", Optional.of("no device"))))).getMessage();
        assertEquals("no RDMA on this machine; a: no library; d: no device", message);
        assertTrue(assertThrows(VerbsException.class, () -> Verbs.firstAvailable(List.of())).getMessage()
                .contains("class path"));
    }

    /** On any machine: there is a provider, and it either works or says in one line why not. */
    @Test
    void everyProviderWorksOrSaysWhyNot() {
        assertTrue(Verbs.providers().size() >= 1);
        for (final VerbsProvider provider : Verbs.providers()) {
            provider.unavailable()
                    .ifPresent(reason -> assertTrue(reason.length() > 10 && !reason.contains("\n"), reason));
            if (provider.unavailable().isEmpty()) {
                assertTrue(!provider.devices().isEmpty());
            }
        }
    }

    @Test
    void aWrongNameListsTheDevices() {
        assertTrue(assertThrows(VerbsException.class, () -> Verbs.find(List.of(), "mlx5_0")).getMessage()
                .contains("none at all"));
    }

    @Test
    void everyStatusHasItsNumberAndItsCauses() {
        for (int code = -5; code < 40; code++) {
            final CompletionStatus status = CompletionStatus.of(code);
            assertEquals(code >= 0 && code <= 23 ? code : -1, status.code());
            assertTrue(!status.meaning().isEmpty());
            assertEquals(status == CompletionStatus.SUCCESS, status.causes().isEmpty());
        }
        assertSame(CompletionStatus.UNKNOWN, CompletionStatus.of(Integer.MIN_VALUE));
        assertSame(CompletionStatus.UNKNOWN, CompletionStatus.of(Integer.MAX_VALUE));
    }

    @Test
    void failuresExplainThemselves() {
        final Completion failure = new Completion.Failure(7, 0x11, CompletionStatus.RETRY_EXC_ERR, 12, 0x81);
        final CompletionErrorException thrown = assertThrows(CompletionErrorException.class, failure::orThrow);
        assertSame(failure, thrown.completion());
        for (final String word : List.of("request 7", "0x11", "RETRY_EXC_ERR (12)", "0x81", "did not answer", "4791")) {
            assertTrue(thrown.getMessage().contains(word), thrown.getMessage());
        }
        assertTrue(!failure.succeeded());
    }

    @Test
    void numbersThatNobodyKnowsKillNothing() {
        for (final int code : new int[]{-1, 127, 130, 1000, Integer.MIN_VALUE }) {
            assertSame(CompletionOpcode.UNKNOWN, CompletionOpcode.of(code));
            assertSame(AsyncEventType.UNKNOWN, AsyncEventType.of(code));
            assertSame(CmEventType.UNKNOWN, CmEventType.of(code));
            assertSame(QueuePairState.UNKNOWN, QueuePairState.of(code));
            assertSame(PortState.UNKNOWN, PortState.of(code));
            assertSame(LinkLayer.UNSPECIFIED, LinkLayer.of(code));
            assertSame(GidType.UNKNOWN, GidType.of(code));
            assertSame(NodeType.UNKNOWN, NodeType.of(code));
            assertSame(TransportType.UNKNOWN, TransportType.of(code));
            assertSame(AtomicCapability.NONE, AtomicCapability.of(code));
        }
        assertThrows(IllegalArgumentException.class, () -> Mtu.of(0));
        assertThrows(IllegalArgumentException.class, () -> Mtu.ofBytes(1500));
        assertEquals(Mtu.MTU_2048, Mtu.ofBytes(2048));
        assertEquals(Mtu.MTU_256, Mtu.min(Mtu.MTU_4096, Mtu.MTU_256));
    }
}
