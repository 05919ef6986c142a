package org.chagres.net;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A secret with which one side of a connection proves itself to the other: HMAC-SHA256 (RFC 2104, FIPS 180-4). Any thread may use it. */
public final class Key {
    static final int MAC_BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKeySpec secret;

    private Key(final byte[] secret) {
        this.secret = new SecretKeySpec(secret, ALGORITHM);
    }

    /** A key of any number of bytes; none is a key that everybody has. */
    public static Key of(final byte[] secret) {
        // HMAC pads a short key with zeros, so one zero is the empty key, which Java refuses.
        return new Key(secret.length == 0 ? new byte[1] : secret);
    }

    /** A key for another purpose, from which this one cannot be computed. */
    public Key derive(final String purpose, final byte[] id) {
        return new Key(mac(purpose, id));
    }

    /** The code of {@code parts} for one purpose. */
    byte[] mac(final String purpose, final byte[]... parts) {
        try {
            final Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            mac.update(purpose.getBytes(StandardCharsets.UTF_8));
            for (final byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (final GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + ALGORITHM, e);
        }
    }

    /** Compares in a time that tells nothing about where they differ. */
    static boolean same(final byte[] one, final byte[] other) {
        return MessageDigest.isEqual(one, other);
    }

    /** Bytes that nobody can guess. */
    public static byte[] random(final int bytes) {
        final byte[] random = new byte[bytes];
        RANDOM.nextBytes(random);
        return random;
    }
}
