package io.weir.store;

import io.weir.Shape;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The name of a bucket in a store elsewhere: an HMAC-SHA-256 of its shape and key with a secret,
 * cut to 128 bits, as {@value #LENGTH} letters, digits, {@code -} and {@code _}.
 *
 * <p>Nobody who reads the store learns who was counted, nor can find out by hashing everybody who
 * might have been. Without a secret a constant of Weir's own takes its place; then whoever knows it
 * can try names.
 *
 * <p>What is hashed is unambiguous: every text comes with its length, and character by character,
 * so that also texts that are no valid Unicode stay apart.
 *
 * <p>Safe for concurrent use.
 */
public final class KeyHash {
  /** How many characters a name has. */
  public static final int LENGTH = 22;

  private static final System.Logger LOG = System.getLogger(KeyHash.class.getName());
  private static final String HMAC = "HmacSHA256";
  private static final int BYTES = 16;
  private static final String BUILT_IN = "weir: no secret was set";
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private final Mac prototype;

  private KeyHash(String secret) {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    prototype = mac();
    try {
      prototype.init(new SecretKeySpec(bytes, HMAC));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Names by a secret that all nodes of a cluster share.
   *
   * @param secret what {@code weir.secret} says; empty for the built-in constant, which is warned
   *     of once
   * @return the names
   */
  public static KeyHash of(String secret) {
    if (!secret.isEmpty()) {
      return new KeyHash(secret);
    }
    if (WARNED.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "weir.secret isn't set: who can read the store can find out by trying whom it counts");
    }
    return new KeyHash(BUILT_IN);
  }

  /**
   * A bucket's name.
   *
   * @param bucket the bucket
   * @return {@value #LENGTH} characters that are safe in keys, file names and URLs
   */
  public String of(Bucket bucket) {
    Mac mac = fresh();
    Shape shape = bucket.shape();
    update(mac, shape.name());
    update(mac, shape.algorithm().name());
    mac.update(ByteBuffer.allocate(16).putLong(shape.windowMicros()).putLong(shape.burst()).flip());
    update(mac, bucket.encodedKey());
    byte[] cut = Arrays.copyOf(mac.doFinal(), BYTES);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(cut);
  }

  private static void update(Mac mac, String text) {
    ByteBuffer bytes = ByteBuffer.allocate(4 + 2 * text.length()).putInt(text.length());
    for (int i = 0; i < text.length(); i++) {
      bytes.putChar(text.charAt(i));
    }
    mac.update(bytes.flip());
  }

  // A Mac is for one thread; a copy of one that has its secret is cheaper than a new one.
  private Mac fresh() {
    try {
      return (Mac) prototype.clone();
    } catch (CloneNotSupportedException unusual) {
      throw new IllegalStateException("the security provider's " + HMAC + " can't be copied");
    }
  }

  private static Mac mac() {
    try {
      return Mac.getInstance(HMAC);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java has " + HMAC, impossible);
    }
  }
}
