package org.chagres.verbs.rdmacore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** Why a device's file could not be opened, with its owner, group and mode. */
final class DeviceFile {
    private DeviceFile() {
    }

    /** A sentence with the remedy; {@code file} is empty if the kernel names none. */
    static String advice(final Optional<Path> file) {
        if (file.isEmpty()) {
            return "The kernel offers no file for it in /dev/infiniband: load its module ib_uverbs.";
        }
        final Path path = file.get();
        if (!Files.exists(path)) {
            return path
                    + " does not exist: load the kernel module ib_uverbs; in a container, pass it in (docker run --device "
                    + path + ").";
        }
        try {
            final PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
            return path + " exists (owner " + attributes.owner().getName() + ", group " + attributes.group().getName()
                    + ", mode "
                    + PosixFilePermissions.toString(attributes.permissions()) + "), but the user "
                    + System.getProperty("user.name")
                    + " may not open it: give it mode 0666, or group rdma, mode 0660 and the user that group, by a udev rule; in a container, also allow the"
                    + " device (docker run --device " + path + ").";
        } catch (final IOException unreadable) {
            return path + " cannot be looked at: " + unreadable.getMessage();
        }
    }
}
