package org.chagres.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of Chagres, as the build wrote it down. */
public final class Version {
    private Version() {
    }

    /** {@code 0.1.0-SNAPSHOT}, ... */
    public static String current() {
        final Properties properties = new Properties();
        try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
            properties.load(in);
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot read version.properties from the class path", e);
        }
        return properties.getProperty("version");
    }
}
