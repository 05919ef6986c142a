package org.chagres.verbs.rdmacore;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.chagres.bindings.CallState;
import org.chagres.bindings.Errno;
import org.chagres.bindings.VerbsMemory;
import org.chagres.verbs.Access;
import org.chagres.verbs.VerbsException;

/** Registers memory, and says why where it cannot be done. */
final class Registration {
    private Registration() {
    }

    static void check(final long length, final Set<Access> access) {
        if (length <= 0) {
            throw new IllegalArgumentException("a memory region of " + length + " bytes: it takes at least 1");
        }
        Access.checkRegion(access);
    }

    /** Registers memory of this process; {@code owner} is kept reachable. */
    static NativeMemoryRegion of(final NativeProtectionDomain domain, final MemorySegment owner, final long start,
            final long length,
            final Set<Access> access) {
        final long region = VerbsMemory.regMr(domain.address(), start, length, Access.bits(access));
        if (region == 0) {
            throw failure("ibv_reg_mr", CallState.errno(), domain, start, length, access);
        }
        return new NativeMemoryRegion(domain, region, owner, start, access);
    }

    static NativeMemoryRegion ofDmabuf(final NativeProtectionDomain domain, final long offset, final long length,
            final long iova, final int fd,
            final Set<Access> access) {
        if (!VerbsMemory.hasRegDmabufMr()) {
            throw new VerbsException(
                    "this version of libibverbs knows no dma-buf (rdma-core 34 does): register the device's address if its driver offers"
                            + " peer memory (nvidia-peermem), or copy through registered host memory",
                    "ibv_reg_dmabuf_mr", Errno.EOPNOTSUPP);
        }
        final long region = VerbsMemory.regDmabufMr(domain.address(), offset, length, iova, fd, Access.bits(access));
        if (region == 0) {
            throw failure("ibv_reg_dmabuf_mr", CallState.errno(), domain, iova, length, access);
        }
        return new NativeMemoryRegion(domain, region, MemorySegment.NULL, iova, access);
    }

    private static VerbsException failure(final String call, final int errno, final NativeProtectionDomain domain,
            final long start, final long length,
            final Set<Access> access) {
        return Failures.of(
                length + " bytes at 0x" + Long.toHexString(start) + " cannot be registered in " + domain + " for "
                        + access,
                call, errno,
                hint(call, errno, access));
    }

    private static String hint(final String call, final int errno, final Set<Access> access) {
        final boolean dmabuf = call.equals("ibv_reg_dmabuf_mr");
        return switch (errno) {
            case Errno.EFAULT -> "Some of it is not mapped, or is mapped read-only and shall be written to.";
            case Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOSYS -> dmabuf
                    ? "The descriptor is no dma-buf, or the device, its driver or the kernel (5.12) cannot register one: register the device's address if"
                            + " its driver offers peer memory (nvidia-peermem), or copy through registered host memory."
                    : access.contains(Access.ON_DEMAND)
                            ? "The device cannot page on demand: leave out ON_DEMAND."
                            : "The device does not take this length or access.";
            default -> "";
        };
    }
}
