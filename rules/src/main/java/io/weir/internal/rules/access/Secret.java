package io.weir.internal.rules.access;

import io.weir.internal.rules.database.Sha256Digest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/** Secrets of tokens and sessions, of which the database has the SHA-256. */
final class Secret {
  /** What is longer is nobody's. */
  static final int LONGEST = 512;

  private static final String PREFIX = "weir_";
  private static final int BYTES = 32;
  private static final Pattern OWN = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{43}");
  private static final SecureRandom RANDOM = new SecureRandom();

  private Secret() {}

  /** A new one: 256 random bits, and a prefix by which it is found where it shouldn't be. */
  static String make() {
    byte[] random = new byte[BYTES];
    RANDOM.nextBytes(random);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /** Tells whether a text may be one that {@link #make} has made. */
  static boolean isWellFormed(String text) {
    return OWN.matcher(text).matches();
  }

  /** 64 hex digits. */
  static String hash(String secret) {
    return Sha256Digest.of(secret).substring(Sha256Digest.PREFIX.length());
  }
}
