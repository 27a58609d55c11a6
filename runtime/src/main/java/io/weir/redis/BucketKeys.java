package io.weir.redis;

import io.weir.Shape;
import io.weir.store.Bucket;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What buckets are called in Redis: {@code prefix:{…22 characters…}:policy}, say {@code
 * weir:{q1J2h0cO5uWDpYzR9kXv3A}:Hello.hello}.
 *
 * <p>The 22 characters are an HMAC-SHA-256 with the secret, cut to 128 bits, of all that makes the
 * bucket another one: shape and key. So nobody who reads Redis learns whom it counts, and nobody
 * without the secret can find out by trying. They alone are the hash tag, so that the buckets of
 * one policy spread over a cluster. The name of the policy is there for whoever looks; it holds no
 * colon and no brace, hence two prefixes never share a key.
 *
 * <p>Safe for concurrent use.
 */
final class BucketKeys {
  private static final Logger LOGGER = System.getLogger(BucketKeys.class.getName());
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");
  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEPT_BYTES = 16;

  /** Without a secret of one's own, keys can be found out by trying. */
  private static final String WITHOUT_SECRET = "weir without a secret";

  private final String prefix;
  private final Mac mac;

  /**
   * Names buckets.
   *
   * @param prefix what every key begins with
   * @param secret the same on all nodes; the empty string for none
   * @throws IllegalArgumentException if the prefix could be mistaken for a hash tag or is too long
   */
  BucketKeys(String prefix, String secret) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "weir.prefix must match " + PREFIX + ", not '" + prefix + "'");
    }
    if (secret.isEmpty()) {
      LOGGER.log(
          Level.WARNING,
          "weir.secret is not set: whoever reads the store can find out by trying whom it counts");
    }
    this.prefix = prefix;
    this.mac = mac(secret.isEmpty() ? WITHOUT_SECRET : secret);
  }

  /**
   * The key of a bucket.
   *
   * @param bucket the bucket
   * @return printable characters; of one length for all buckets of a policy
   */
  byte[] of(Bucket bucket) {
    byte[] hash = Arrays.copyOf(copy(mac).doFinal(message(bucket)), KEPT_BYTES);
    String tag = Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    String key = prefix + ":{" + tag + "}:" + bucket.shape().name();
    return key.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * A key that is no bucket's.
   *
   * @param name what it is for, without a brace
   * @return the key
   */
  byte[] named(String name) {
    return (prefix + ":" + name).getBytes(StandardCharsets.US_ASCII);
  }

  /** Each text with its length, so that no two buckets are written alike. */
  private static byte[] message(Bucket bucket) {
    Shape shape = bucket.shape();
    String algorithm = shape.algorithm().name();
    String key = bucket.key().encoded();
    int chars = shape.name().length() + algorithm.length() + key.length();
    ByteBuffer into =
        ByteBuffer.allocate(3 * Integer.BYTES + 2 * Long.BYTES + chars * Character.BYTES);
    put(into, shape.name());
    put(into, algorithm);
    into.putLong(shape.windowMicros()).putLong(shape.burst());
    put(into, key);
    return into.array();
  }

  /** Char by char: UTF-8 would turn every half of a surrogate pair into the same mark. */
  private static void put(ByteBuffer into, String text) {
    into.putInt(text.length());
    for (int i = 0; i < text.length(); i++) {
      into.putChar(text.charAt(i));
    }
  }

  private static Mac mac(String secret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return mac;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
    }
  }

  /** A Mac computes for one thread at a time; a copy is far cheaper than another one. */
  private static Mac copy(Mac mac) {
    try {
      return (Mac) mac.clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException(ALGORITHM + " can't be copied", impossible);
    }
  }
}
