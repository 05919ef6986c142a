package org.chagres.bindings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.chagres.bindings.verbs.ibv_device_attr_ex;
import org.chagres.bindings.verbs.ibv_port_attr;
import org.chagres.bindings.verbs.ibv_qp_init_attr_ex;
import org.chagres.bindings.verbs.ibv_srq_init_attr_ex;
import org.chagres.bindings.verbs.verbs_context;
import org.chagres.bindings.verbs.verbs_h;
import org.junit.jupiter.api.Test;

/** With a libibverbs that is older than the headers, the calls fall back or say which version they need. */
final class OldVerbsTest {
    @Test
    void callsFallBack() throws Exception {
        CCompiler.assumeHeaders("infiniband/verbs.h");
        final var library = CCompiler.sharedObject("fake_verbs.c", "old-verbs/libibverbs.so.1");
        final var result = Child.java(library.getParent(), Caller.class, "--enable-native-access=ALL-UNNAMED");
        assertEquals("""
                available
                queryPort 0, short fields 1, long fields 0
                queryDeviceEx 0, 11111111, 0
                ibv_reg_mr 0x10 0x20 4096 1
                regMr 9000
                regDmabufMr false
                ibv_reg_dmabuf_mr (since rdma-core 34): this version of libibverbs.so.1 does not export it
                _ibv_query_gid_ex (since rdma-core 32): this version of libibverbs.so.1 does not export it
                ibv_create_qp 0x40
                createQpEx a000
                ibv_create_srq 0x50
                createSrqEx b000
                devices 2, 512
                device 2 of 2
                ibv_free_device_list
                the device list is closed
                transport retry counter exceeded null
                """, result.output());
        assertEquals(0, result.status());
    }

    /** Runs in a JVM of its own. */
    static final class Caller {
        private Caller() {
        }

        public static void main(final String[] arguments) throws Exception {
            System.out.println(Verbs.LIBRARY.reason());
            try (Arena arena = Arena.ofConfined()) {
                final var device = new FakeDevice(arena);
                ports(arena, device);
                memory();
                queues(arena, device);
                devices();
            }
            System.out.println(Verbs.wcStatusStr(12) + " " + Verbs.wcStatusStr(-1));
        }

        private static void ports(final Arena arena, final FakeDevice device) {
            final var port = arena.allocate(ibv_port_attr.layout());
            port.fill((byte) 0xff);
            device.size(verbs_context.sizeof() - verbs_context.query_port$offset() - 1);
            final int status = VerbsContext.of(device.context()).queryPort(1, port.address());
            System.out.printf("queryPort %d, short fields %d, long fields %d%n", status, ibv_port_attr.link_layer(port),
                    ibv_port_attr.port_cap_flags2(port));

            final var attributes = arena.allocate(ibv_device_attr_ex.layout());
            attributes.fill((byte) 0xff);
            device.extended(false);
            System.out.printf("queryDeviceEx %d, %x, %d%n",
                    VerbsContext.of(device.context()).queryDeviceEx(attributes.address()),
                    attributes.get(ValueLayout.JAVA_INT, 0), ibv_device_attr_ex.comp_mask(attributes));
        }

        private static void memory() {
            final int access = verbs_h.IBV_ACCESS_LOCAL_WRITE() | verbs_h.IBV_ACCESS_RELAXED_ORDERING();
            System.out.printf("regMr %x%n", VerbsMemory.regMr(0x10, 0x20, 4096, access));
            System.out.println("regDmabufMr " + VerbsMemory.hasRegDmabufMr());
            refused(() -> VerbsMemory.regDmabufMr(0x10, 0, 4096, 0, 3, access));
            refused(() -> Verbs.queryGidEx(0x10, 1, 0, 0x20));
        }

        private static void queues(final Arena arena, final FakeDevice device) {
            final var qp = arena.allocate(ibv_qp_init_attr_ex.layout());
            ibv_qp_init_attr_ex.pd(qp, MemorySegment.ofAddress(0x40));
            ibv_qp_init_attr_ex.comp_mask(qp, verbs_h.IBV_QP_INIT_ATTR_PD());
            System.out.printf("createQpEx %x%n", VerbsContext.of(device.context()).createQpEx(qp.address()));

            final var srq = arena.allocate(ibv_srq_init_attr_ex.layout());
            ibv_srq_init_attr_ex.pd(srq, MemorySegment.ofAddress(0x50));
            ibv_srq_init_attr_ex.comp_mask(srq, verbs_h.IBV_SRQ_INIT_ATTR_PD());
            System.out.printf("createSrqEx %x%n", VerbsContext.of(device.context()).createSrqEx(srq.address()));
        }

        private static void devices() {
            final var list = DeviceList.open();
            System.out.println("devices " + list.size() + ", " + list.get(1));
            refused(() -> list.get(2));
            list.close();
            list.close();
            refused(() -> list.get(1));
        }

        private static void refused(final Runnable call) {
            try {
                call.run();
                System.out.println("not refused");
            } catch (final UnsupportedOperationException | IllegalStateException | IndexOutOfBoundsException expected) {
                System.out.println(expected.getMessage());
            }
        }
    }
}
