package io.weir.store;

import io.weir.Key;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The thing that has a count: one policy × one key, the policy told by its {@link BucketSpec}.
 *
 * <p>Ordered by key, then by spec. Callers choose keys and can choose them so that their hashes are
 * equal; in a hash map an order keeps look-ups fast even then.
 *
 * <p>Immutable.
 */
public final class BucketId implements Comparable<BucketId> {
  private static final int SPREAD = 0x9E3779B9;
  private static final Comparator<BucketId> ORDER =
      Comparator.comparing((BucketId bucket) -> bucket.key)
          .thenComparing(bucket -> bucket.spec.name())
          .thenComparing(bucket -> bucket.spec.algorithm())
          .thenComparing(bucket -> bucket.spec.window())
          .thenComparing(bucket -> bucket.spec.burst())
          .thenComparing(bucket -> bucket.spec.calendar().map(CalendarWindow::toString).orElse(""));

  private final BucketSpec spec;
  // Not the key itself: where a million buckets are held, what each refers to counts.
  private final String key;
  // Not volatile: whoever doesn't see it works it out again, and its own fields are final.
  private @Nullable BucketHash name;

  /**
   * Names a bucket.
   *
   * @param spec what the policy's buckets are made of
   * @param key whom it counts
   */
  public BucketId(BucketSpec spec, Key key) {
    this.spec = spec;
    this.key = key.encoded();
  }

  /**
   * The hash of a bucket that needn't be made for it.
   *
   * @param spec what the policy's buckets are made of
   * @param key whom it counts
   * @return what {@link #hashCode()} says
   */
  public static int hash(BucketSpec spec, Key key) {
    return hash(spec, key.hashCode());
  }

  private static int hash(BucketSpec spec, int key) {
    // Hashes of texts that differ at their ends differ by little and by multiples of 31, those of
    // policies like those of callers: they are set far apart, or each would have the other's.
    return SPREAD * spec.name().hashCode() + key;
  }

  /**
   * Whether it is the bucket of a policy and a key, which needn't be made to compare it.
   *
   * @param otherSpec what the policy's buckets are made of
   * @param otherKey whom it counts
   * @return whether a bucket made of these would equal it
   */
  public boolean is(BucketSpec otherSpec, Key otherKey) {
    return key.hashCode() == otherKey.hashCode()
        && key.equals(otherKey.encoded())
        && spec.equals(otherSpec);
  }

  /**
   * What kind of bucket it is.
   *
   * @return what the policy's buckets are made of
   */
  public BucketSpec spec() {
    return spec;
  }

  /**
   * Whose it is, in the clear: never for a log.
   *
   * @return what {@link Key#encoded()} says
   */
  public String encodedKey() {
    return key;
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof BucketId that
            && key.hashCode() == that.key.hashCode()
            && key.equals(that.key)
            && spec.equals(that.spec);
  }

  @Override
  public int hashCode() {
    return hash(spec, key.hashCode()); // texts remember theirs
  }

  @Override
  public int compareTo(BucketId other) {
    return ORDER.compare(this, other);
  }

  /** What it is called in stores elsewhere; null if nobody has worked that out yet. */
  @Nullable BucketHash name() {
    return name;
  }

  /** Remembers what it is called, so that a claim on its way needn't work it out twice. */
  void name(BucketHash stored) {
    this.name = stored;
  }

  /**
   * Forgets what it is called in stores elsewhere: for those who keep many buckets that are seldom
   * claimed. {@link BucketHasher} works it out again when it is needed.
   */
  public void forgetName() {
    this.name = null;
  }

  /** Tells the policy and what kind of key it is, and nobody's name. */
  @Override
  public String toString() {
    return spec.name() + "/" + key.charAt(0) + "…";
  }
}
