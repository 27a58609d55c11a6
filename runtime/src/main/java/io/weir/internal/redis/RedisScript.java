package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.internal.redis.connection.EvalCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A script, and the name by which Redis remembers it.
 *
 * <p>Immutable, as long as no caller writes to its arrays.
 */
final class RedisScript {
  private final byte[] text;
  private final byte[] sha;

  RedisScript(String text) {
    this.text = text.getBytes(UTF_8);
    this.sha = HexFormat.of().formatHex(digest(this.text)).getBytes(US_ASCII);
  }

  private static byte[] digest(byte[] text) {
    try {
      return MessageDigest.getInstance("SHA-1").digest(text);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-1", impossible);
    }
  }

  static RedisScript read(String name) {
    return new RedisScript(resource(name));
  }

  static String resource(String name) {
    try (InputStream in = RedisScript.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing in the jar of Weir");
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  EvalCall call(List<byte[]> keys, List<byte[]> args) {
    return new EvalCall(sha, text, keys, args);
  }

  /** Returns the argument of {@code SCRIPT LOAD}. */
  byte[] text() {
    return text;
  }

  /** Returns the argument of {@code EVALSHA}: 40 characters. */
  byte[] sha() {
    return sha;
  }
}
