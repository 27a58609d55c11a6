package io.weir.internal.redis;

import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.ExactBucketId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Makes the keys of buckets in Redis: {@code prefix:{…22 characters…}:policy}, for example {@code
 * weir:{q1J2h0cO5uWDpYzR9kXv3A}:Hello.hello}.
 *
 * <p>The 22 characters are the name by {@link BucketHasher}, which alone distinguishes buckets and
 * alone is the hash tag, so that the buckets of one policy spread over a cluster. The policy's name
 * is there for people; it contains no colon and no brace, so two prefixes never share a key.
 *
 * <p>Safe for concurrent use.
 */
final class BucketKeyEncoder {
  /** The key shared by all nodes with a secret, whatever their prefix. */
  static final String COMMON_MEETING = "weir:neighbours";

  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

  private static final byte[] REDUCE = "}:reduce*".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] THROTTLE = "}:throttle*".getBytes(StandardCharsets.US_ASCII);

  private final String prefix;
  private final byte[] begin;
  private final BucketHasher hashes;
  private final boolean secret;

  /**
   * Takes a secret that is the same on all nodes; empty for none.
   *
   * @throws IllegalArgumentException if the prefix could be mistaken for a hash tag or is too long
   */
  BucketKeyEncoder(String prefix, String secret) {
    if (!isPrefix(prefix)) {
      throw new IllegalArgumentException(
          "weir.prefix must match " + PREFIX + ", not '" + prefix + "'");
    }
    this.prefix = prefix;
    this.begin = (prefix + ":{").getBytes(StandardCharsets.US_ASCII);
    this.hashes = BucketHasher.of(secret);
    this.secret = !secret.isEmpty();
  }

  static boolean isPrefix(String text) {
    return PREFIX.matcher(text).matches();
  }

  String prefix() {
    return prefix;
  }

  boolean isSecret() {
    return secret;
  }

  /** See {@link BucketHasher#fingerprint()}. */
  String fingerprint() {
    return hashes.fingerprint();
  }

  /** Returns the key shared by the nodes of this prefix. */
  String meeting() {
    return prefix + ":neighbours";
  }

  /** Returns the keys where this node finds nodes that it may have to warn of. */
  Set<String> meetings() {
    return secret ? new TreeSet<>(List.of(meeting(), COMMON_MEETING)) : Set.of(meeting());
  }

  /** Returns printable characters; of one length for all buckets of a policy. */
  byte[] of(BucketId bucket) {
    String policy = bucket.spec().name();
    byte[] key = Arrays.copyOf(begin, begin.length + BucketHasher.LENGTH + 2 + policy.length());
    hashes.write(bucket, key, begin.length);
    int at = begin.length + BucketHasher.LENGTH;
    key[at] = '}';
    key[at + 1] = ':';
    for (int i = 0; i < policy.length(); i++) {
      key[at + 2 + i] = (byte) policy.charAt(i);
    }
    return key;
  }

  /**
   * Returns the key of a bucket that is counted exactly, in printable characters; of one length for
   * all of a kind. It ends with an asterisk, which is in the name of no policy.
   */
  byte[] of(ExactBucketId bucket) {
    byte[] end = bucket.kind() == ExactBucketId.Kind.GCRA ? THROTTLE : REDUCE;
    byte[] key = Arrays.copyOf(begin, begin.length + BucketHasher.LENGTH + end.length);
    hashes.write(bucket, key, begin.length);
    System.arraycopy(end, 0, key, begin.length + BucketHasher.LENGTH, end.length);
    return key;
  }

  /** Computes the name for {@link #of(BucketId)}, which the bucket remembers. */
  void prepare(BucketId bucket) {
    hashes.prepare(bucket);
  }

  /** Makes a key that isn't a bucket's, of its purpose, without a brace. */
  byte[] named(String name) {
    return (prefix + ":" + name).getBytes(StandardCharsets.US_ASCII);
  }
}
