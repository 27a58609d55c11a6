package io.weir.internal.rules.database;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** Computes the SHA-256 of texts. */
public final class Sha256Digest {
  /** The prefix of the {@code user_id} of a key; 64 hex digits follow. */
  public static final String PREFIX = "sha256:";

  private static final int TOLD_DIGITS = 12;

  private Sha256Digest() {}

  /** Returns the first eight bytes, as a number. */
  public static long first(String text) {
    return ByteBuffer.wrap(sha256(text)).getLong();
  }

  /** Returns {@link #PREFIX} and 64 hex digits. */
  public static String of(String text) {
    return PREFIX + HexFormat.of().formatHex(sha256(text));
  }

  /** Names a user in messages, never by name: {@code user sha256:} and 12 hex digits. */
  public static String user(String userId) {
    String digest = userId.startsWith(PREFIX) ? userId : of(userId);
    int most = PREFIX.length() + TOLD_DIGITS;
    return "user " + digest.substring(0, Math.min(most, digest.length())).toLowerCase(Locale.ROOT);
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
