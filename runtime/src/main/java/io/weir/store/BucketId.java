package io.weir.store;

import io.weir.Key;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a bucket: one policy × one key, the policy given by its {@link BucketSpec}.
 *
 * <p>Ordered by key, then by spec. Callers choose keys and can choose them so that their hashes are
 * equal; the order keeps look-ups in a hash map fast even then.
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
  // Not volatile: a thread that doesn't see it computes it again, and its own fields are final.
  private @Nullable BucketHash name;

  /**
   * Makes the id of a bucket.
   *
   * @param spec algorithm, window and burst of the policy's buckets
   * @param key the caller that it counts
   */
  public BucketId(BucketSpec spec, Key key) {
    this(spec, key.encoded());
  }

  private BucketId(BucketSpec spec, String key) {
    this.spec = spec;
    this.key = key;
  }

  /**
   * Computes the hash of an id without making the id.
   *
   * @param spec what the policy's buckets are made of
   * @param key the key that it counts by
   * @return the value of {@link #hashCode()}
   */
  public static int hash(BucketSpec spec, Key key) {
    return hash(spec, key.hashCode());
  }

  private static int hash(BucketSpec spec, int key) {
    // Hashes of texts that differ at their ends differ by little and by multiples of 31, for
    // policies as for callers: they are set far apart, or they would collide.
    return SPREAD * spec.name().hashCode() + key;
  }

  /**
   * Returns whether this is the id of a spec and a key; compares without making another id.
   *
   * @param otherSpec what the policy's buckets are made of
   * @param otherKey the key that it counts by
   * @return true if an id made of these would equal it
   */
  public boolean is(BucketSpec otherSpec, Key otherKey) {
    return key.hashCode() == otherKey.hashCode()
        && key.equals(otherKey.encoded())
        && spec.equals(otherSpec);
  }

  /**
   * Returns the part of the policy that its buckets are made of.
   *
   * @return what the policy's buckets are made of
   */
  public BucketSpec spec() {
    return spec;
  }

  /**
   * Returns the id by which a store looks its bucket up that keeps ids themselves, not the names of
   * {@link BucketHasher}: the same for limits of all regions and of {@linkplain
   * BucketSpec#isOfRegion() each one}, so that the count goes on when that is changed.
   *
   * @return this one, unless the limit is each region's own
   */
  public BucketId inStore() {
    return spec.isOfRegion() ? new BucketId(spec.inStore(), key) : this;
  }

  /**
   * Returns the key of the caller, in the clear: never log it.
   *
   * @return the value of {@link Key#encoded()}
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

  /** Returns its name in remote stores; null if it hasn't been computed yet. */
  @Nullable BucketHash name() {
    return name;
  }

  /** Remembers the name, so that it needn't be computed twice for a claim. */
  void name(BucketHash stored) {
    this.name = stored;
  }

  /**
   * Forgets the name in remote stores, to save memory where many buckets are kept that are seldom
   * claimed. {@link BucketHasher} computes it again when it is needed.
   */
  public void forgetName() {
    this.name = null;
  }

  /** Contains the policy and the kind of key, but not the key itself. */
  @Override
  public String toString() {
    return spec.name() + "/" + key.charAt(0) + "…";
  }
}
