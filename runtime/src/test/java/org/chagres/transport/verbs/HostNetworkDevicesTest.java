package org.chagres.transport.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostNetworkDevicesTest {
    @TempDir
    Path files;

    @Test
    void knowsTheLoopbackOfThisHost() {
        final NetworkDevices devices = NetworkDevices.ofThisHost();
        final NetworkDevice loopback = devices.having(InetAddress.getLoopbackAddress()).orElseThrow();
        assertTrue(loopback.up() && loopback.mtu() > 0);
        assertEquals(Optional.of(loopback), devices.called(loopback.name()));
        assertEquals(Optional.empty(), devices.called("absent0"));
        assertEquals(Optional.empty(), devices.having(InetAddress.ofLiteral("192.0.2.7")));
    }

    @ParameterizedTest
    @CsvSource({"0x1003, 9000, true", "0x1002, 1500, false" })
    void devicesWithoutAnAddressAreInTheKernelsFiles(final String flags, final int mtu, final boolean up)
            throws IOException {
        final Path device = Files.createDirectory(files.resolve("bare0"));
        final NetworkDevices devices = new HostNetworkDevices(files);
        Files.writeString(device.resolve("flags"), flags + "\n");
        assertEquals(Optional.empty(), devices.called("bare0"), "without a file for its MTU");
        Files.writeString(device.resolve("mtu"), mtu + "\n");
        assertEquals(Optional.of(new NetworkDevice("bare0", up, mtu)), devices.called("bare0"));
    }
}
