package org.chagres.transport.verbs;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.OptionalInt;
import org.chagres.verbs.Gid;
import org.chagres.verbs.GidType;
import org.chagres.verbs.LinkLayer;
import org.chagres.verbs.Mtu;
import org.chagres.verbs.VerbsException;

/** The bytes by which ranks tell each other their ends. Enums travel by name, so that their order may change. */
final class PathEndForm {
    private static final int VERSION = 1;
    private static final int NONE = -1;

    private PathEndForm() {
    }

    static byte[] encode(final PathEnd end) {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(VERSION);
            out.writeInt(end.rank());
            out.writeUTF(end.host());
            out.writeUTF(end.port().device());
            out.writeInt(end.port().port());
            out.writeUTF(end.linkLayer().name());
            out.writeInt(end.lid());
            out.writeBoolean(end.globalRouteRequired());
            out.writeInt(end.gidIndex());
            out.writeLong(end.gid().subnetPrefix());
            out.writeLong(end.gid().interfaceId());
            out.writeUTF(end.gidType().name());
            out.writeInt(end.activeMtu().bytes());
            out.writeInt(end.networkMtu().orElse(NONE));
        } catch (final IOException e) {
            throw new UncheckedIOException("a host or device name is too long to be told to peers", e);
        }
        return bytes.toByteArray();
    }

    static PathEnd decode(final byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            final int version = in.readInt();
            if (version != VERSION) {
                throw new VerbsException(
                        "a peer tells of its port in version " + version + " of the form, this rank knows " + VERSION
                                + ": run the same version of Chagres on all ranks");
            }
            final PathEnd end = new PathEnd(in.readInt(), in.readUTF(), new PortName(in.readUTF(), in.readInt()),
                    LinkLayer.valueOf(in.readUTF()),
                    in.readInt(), in.readBoolean(), in.readInt(), new Gid(in.readLong(), in.readLong()),
                    GidType.valueOf(in.readUTF()),
                    Mtu.ofBytes(in.readInt()), networkMtu(in.readInt()));
            if (in.available() == 0) {
                return end;
            }
        } catch (final IOException | IllegalArgumentException e) {
            throw malformed(bytes, e);
        }
        throw malformed(bytes, null);
    }

    private static OptionalInt networkMtu(final int told) {
        return told == NONE ? OptionalInt.empty() : OptionalInt.of(told);
    }

    private static VerbsException malformed(final byte[] bytes, final Exception cause) {
        final VerbsException malformed = new VerbsException(
                "what a peer tells of its port makes no sense, " + bytes.length + " bytes that begin "
                        + Arrays.toString(Arrays.copyOf(bytes, Math.min(bytes.length, 16)))
                        + ": run the same version of Chagres on all ranks");
        malformed.initCause(cause);
        return malformed;
    }
}
