package io.weir.internal.postgres;

import io.weir.Key;
import io.weir.internal.store.BucketNames;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.ExactBucketId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Makes the keys of rows. A bucket's key is a byte for its kind, eight bytes of an HMAC of its
 * policy and parameters, then the 128 bits of its name: so buckets of a policy are neighbours, and
 * a reader of the table learns neither whom nor what they count.
 *
 * <p>Safe for concurrent use.
 */
final class BucketKeyEncoder {
  /** The length of a bucket's key up to its name. */
  static final int SPEC_LENGTH = 1 + Long.BYTES;

  static final String BEATS = "epoch.beats";

  private static final byte OF_STORE = 0;
  private static final byte OF_POLICY = 1;
  private static final byte EXACT = 2;
  private static final int MAX_SPECS = 10_000;

  private final BucketNames names;
  private final Map<BucketSpec, byte[]> prefixes = new ConcurrentHashMap<>();

  BucketKeyEncoder(BucketHasher names) {
    this.names = new BucketNames(names);
  }

  /** Returns the key of a row of the store itself, which comes before all buckets. */
  static byte[] ofStore(String name) {
    return concat(new byte[] {OF_STORE}, name.getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns the key of the row of a beat; those of an epoch stand in the order of beats. */
  static byte[] ofBeat(long epoch, long beat) {
    byte[] numbers = ByteBuffer.allocate(2 * Long.BYTES).putLong(epoch).putLong(beat).array();
    return concat(ofStore(BEATS), numbers);
  }

  /** Returns the key of such a row in SQL, whatever a backslash means to the server. */
  static String literalOfStore(String name) {
    return "pg_catalog.decode('"
        + HexFormat.of().formatHex(ofStore(name))
        + "'::pg_catalog.text, 'hex'::pg_catalog.text)";
  }

  /** Returns the key before all buckets, and after the rows of the store itself. */
  static byte[] first() {
    return new byte[] {OF_POLICY};
  }

  /** Returns the beginning of the keys of all buckets of a spec. */
  byte[] prefix(BucketSpec spec) {
    if (prefixes.size() > MAX_SPECS) {
      prefixes.clear(); // limits of callers may make many
    }
    return prefixes.computeIfAbsent(
        spec,
        any ->
            Arrays.copyOf(
                start(OF_POLICY, names.of(new BucketId(spec, Key.nobody()))), SPEC_LENGTH));
  }

  private static byte[] start(byte kind, byte[] name) {
    return concat(new byte[] {kind}, name);
  }

  byte[] of(BucketId bucket) {
    return concat(prefix(bucket.spec()), names.of(bucket));
  }

  byte[] of(ExactBucketId bucket) {
    return start(EXACT, names.of(bucket));
  }

  static byte[] name(byte[] key) {
    return Arrays.copyOfRange(key, SPEC_LENGTH, key.length);
  }

  /** Returns the key after all that begin with a prefix. */
  static byte[] after(byte[] prefix) {
    byte[] next = prefix.clone();
    for (int at = next.length - 1; at >= 0 && ++next[at] == 0; at--) {
      // carries
    }
    return next;
  }

  static byte[] concat(byte[] first, byte[] second) {
    return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
  }
}
