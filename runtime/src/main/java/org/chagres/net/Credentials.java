package org.chagres.net;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What both sides of a connection must share.
 *
 * @param key the secret
 * @param world a digest of the world's name, which tells jobs apart that share a secret
 */
@SuppressWarnings("ArrayRecordComponent") // credentials are never compared
public record Credentials(Key key, byte[] world) {
    static final int WORLD_BYTES = 32;

    /** For the world of a name. */
    public static Credentials of(final Key key, final String world) {
        try {
            return new Credentials(key,
                    MessageDigest.getInstance("SHA-256").digest(world.getBytes(StandardCharsets.UTF_8)));
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java has no SHA-256", e);
        }
    }

    /** The same world, another key. */
    public Credentials with(final Key other) {
        return new Credentials(other, world);
    }
}
