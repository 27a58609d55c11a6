package io.weir.internal.rules.access;

import io.weir.internal.rules.database.Sha256Digest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/** Makes and hashes the secrets of tokens and sessions. The database has only their SHA-256. */
final class AccessSecret {
  /** Longer texts are no secrets. */
  static final int MAX_LENGTH = 512;

  private static final String PREFIX = "weir_";
  private static final int BYTES = 32;
  private static final Pattern OWN = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{43}");
  private static final SecureRandom RANDOM = new SecureRandom();

  private AccessSecret() {}

  /** Makes a secret: 256 random bits, and a prefix by which scanners recognise a leaked one. */
  static String make() {
    byte[] random = new byte[BYTES];
    RANDOM.nextBytes(random);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /** Returns whether {@link #make} may have made a text. */
  static boolean isWellFormed(String text) {
    return OWN.matcher(text).matches();
  }

  /** Returns 64 hex digits. */
  static String hash(String secret) {
    return Sha256Digest.of(secret).substring(Sha256Digest.PREFIX.length());
  }
}
