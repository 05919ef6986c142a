package org.chagres.verbs.rdmacore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.chagres.bindings.VerbsContext;
import org.chagres.bindings.verbs.ibv_device_attr;
import org.chagres.bindings.verbs.ibv_device_attr_ex;
import org.chagres.bindings.verbs.ibv_port_attr;
import org.chagres.bindings.verbs.verbs_h;
import org.chagres.verbs.AtomicCapability;
import org.chagres.verbs.Device;
import org.chagres.verbs.DeviceAttributes;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.PortAttributes;
import org.chagres.verbs.PortState;

/** Reads what a device and its ports say of themselves. */
final class Attributes {
    private Attributes() {
    }

    static DeviceAttributes device(final VerbsContext context, final Device device) {
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment extended = call.allocate(ibv_device_attr_ex.layout());
            Failures.check(context.queryDeviceEx(extended.address()), "the attributes of " + device.name(),
                    "ibv_query_device_ex");
            final MemorySegment a = ibv_device_attr_ex.orig_attr(extended);
            return new DeviceAttributes(firmware(a), Long.reverseBytes(ibv_device_attr.node_guid(a)),
                    Long.reverseBytes(ibv_device_attr.sys_image_guid(a)), ibv_device_attr.vendor_id(a),
                    ibv_device_attr.vendor_part_id(a),
                    ibv_device_attr.hw_ver(a), Byte.toUnsignedInt(ibv_device_attr.phys_port_cnt(a)),
                    ibv_device_attr.max_mr_size(a),
                    ibv_device_attr.page_size_cap(a), ibv_device_attr.max_qp(a), ibv_device_attr.max_qp_wr(a),
                    ibv_device_attr.max_sge(a),
                    ibv_device_attr.max_sge_rd(a), ibv_device_attr.max_cq(a), ibv_device_attr.max_cqe(a),
                    ibv_device_attr.max_mr(a),
                    ibv_device_attr.max_pd(a), ibv_device_attr.max_qp_rd_atom(a),
                    ibv_device_attr.max_qp_init_rd_atom(a),
                    AtomicCapability.of(ibv_device_attr.atomic_cap(a)), ibv_device_attr.max_ah(a),
                    ibv_device_attr.max_srq(a),
                    ibv_device_attr.max_srq_wr(a), ibv_device_attr.max_srq_sge(a),
                    Short.toUnsignedInt(ibv_device_attr.max_pkeys(a)),
                    Byte.toUnsignedInt(ibv_device_attr.local_ca_ack_delay(a)), capabilities(extended, a));
        }
    }

    private static long capabilities(final MemorySegment extended, final MemorySegment plain) {
        // The extended call has more bits; a fallback to the plain one leaves it 0.
        final long wide = ibv_device_attr_ex.device_cap_flags_ex(extended);
        return wide != 0 ? wide : Integer.toUnsignedLong(ibv_device_attr.device_cap_flags(plain));
    }

    private static String firmware(final MemorySegment attributes) {
        return ibv_device_attr.fw_ver(attributes).getString(0);
    }

    static PortAttributes port(final VerbsContext context, final Device device, final int port) {
        try (Arena call = Arena.ofConfined()) {
            final MemorySegment a = call.allocate(ibv_port_attr.layout());
            Failures.check(context.queryPort(port, a.address()), "the attributes of " + device.name() + " port " + port,
                    "ibv_query_port");
            return new PortAttributes(port, PortState.of(ibv_port_attr.state(a)), mtu(ibv_port_attr.max_mtu(a)),
                    mtu(ibv_port_attr.active_mtu(a)), ibv_port_attr.gid_tbl_len(a),
                    Short.toUnsignedInt(ibv_port_attr.pkey_tbl_len(a)),
                    Integer.toUnsignedLong(ibv_port_attr.max_msg_sz(a)), Short.toUnsignedInt(ibv_port_attr.lid(a)),
                    Short.toUnsignedInt(ibv_port_attr.sm_lid(a)), ibv_port_attr.lmc(a),
                    LinkLayer.of(ibv_port_attr.link_layer(a)),
                    Byte.toUnsignedInt(ibv_port_attr.active_width(a)),
                    Byte.toUnsignedInt(ibv_port_attr.active_speed(a)),
                    ibv_port_attr.phys_state(a), ibv_port_attr.port_cap_flags(a),
                    (ibv_port_attr.flags(a) & verbs_h.IBV_QPF_GRH_REQUIRED()) != 0);
        }
    }

    /** A port that is down may have none. */
    private static Mtu mtu(final int code) {
        return Mtu.of(Math.clamp(code, Mtu.MTU_256.code(), Mtu.MTU_4096.code()));
    }
}
