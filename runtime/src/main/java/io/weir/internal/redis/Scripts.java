package io.weir.internal.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Holds the texts of the scripts, and their names in Redis.
 *
 * <p>Immutable.
 */
final class Scripts {
  /** The shortest life of a grant: more than a round trip takes. */
  static final long MIN_LIFE_MICROS = 5_000;

  /**
   * The part common to all scripts, with placeholders for what an algorithm does once and for each
   * claim.
   */
  private static final String FRAME = "frame.lua";

  private static final String BEFORE = "--[[before]]";
  private static final String EACH = "--[[each]]";

  /** The placeholder for the part common to algorithms. */
  private static final String GRANT = "--[[grant]]";

  private final Map<BucketScript, byte[]> texts = new EnumMap<>(BucketScript.class);
  private final Map<BucketScript, byte[]> shas = new EnumMap<>(BucketScript.class);

  /** Loads the scripts. */
  Scripts() {
    this(UnaryOperator.identity());
  }

  /**
   * Loads the scripts with changes, for tests that set the clock: each contains the line {@code
   * local time = redis.call('TIME')} once, whose answer is seconds and microseconds.
   */
  Scripts(UnaryOperator<String> change) {
    String frame = read(FRAME);
    for (BucketScript script : BucketScript.values()) {
      String algorithm = read(script.resource()).replace(GRANT, read("grant.lua"));
      int each = algorithm.indexOf(EACH);
      String whole =
          frame
              .replace(BEFORE, algorithm.substring(0, each))
              .replace(EACH, algorithm.substring(each + EACH.length()));
      byte[] text = change.apply(whole).getBytes(StandardCharsets.UTF_8);
      texts.put(script, text);
      shas.put(script, sha(text));
    }
  }

  /** Returns the argument of {@code SCRIPT LOAD}. The caller mustn't change it. */
  byte[] text(BucketScript script) {
    return Objects.requireNonNull(texts.get(script));
  }

  /** Returns the argument of {@code EVALSHA}: 40 characters. The caller mustn't change it. */
  byte[] sha(BucketScript script) {
    return Objects.requireNonNull(shas.get(script));
  }

  /** Returns the SHA-1 of a text as Redis writes it. */
  static byte[] sha(byte[] text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
      return HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-1", impossible);
    }
  }

  /** Reads a script of this package. */
  static String read(String resource) {
    try (InputStream in = Scripts.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException(resource + " is missing in the jar of Weir");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
