package io.weir.store;

import io.weir.Key;
import io.weir.Shape;
import java.util.Comparator;

/**
 * The thing that has a count: the shape of one policy × one key.
 *
 * <p>Ordered by key, then by shape. Callers choose keys and can choose them so that their hashes
 * are equal; in a hash map an order keeps look-ups fast even then.
 *
 * <p>Immutable.
 */
public final class Bucket implements Comparable<Bucket> {
  private static final int SPREAD = 0x9E3779B9;
  private static final Comparator<Bucket> ORDER =
      Comparator.comparing((Bucket bucket) -> bucket.key)
          .thenComparing(bucket -> bucket.shape.name())
          .thenComparing(bucket -> bucket.shape.algorithm())
          .thenComparing(bucket -> bucket.shape.window())
          .thenComparing(bucket -> bucket.shape.burst());

  private final Shape shape;
  // Not the key itself: where a million buckets are held, what each refers to counts.
  private final String key;
  private final int hash;

  /**
   * Names a bucket.
   *
   * @param shape the policy's shape
   * @param key whom it counts
   */
  public Bucket(Shape shape, Key key) {
    this.shape = shape;
    this.key = key.encoded();
    this.hash = hash(shape, key);
  }

  /**
   * The hash of a bucket that needn't be made for it.
   *
   * @param shape the policy's shape
   * @param key whom it counts
   * @return what {@link #hashCode()} says
   */
  public static int hash(Shape shape, Key key) {
    // Hashes of texts that differ at their ends differ by little and by multiples of 31, those of
    // policies like those of callers: they are set far apart, or each would have the other's.
    return SPREAD * shape.name().hashCode() + key.hashCode();
  }

  /**
   * Whether it is the bucket of a policy's shape and a key, which needn't be made to compare it.
   *
   * @param otherShape the policy's shape
   * @param otherKey whom it counts
   * @return whether a bucket made of these would equal it
   */
  public boolean is(Shape otherShape, Key otherKey) {
    return hash == hash(otherShape, otherKey)
        && key.equals(otherKey.encoded())
        && shape.equals(otherShape);
  }

  /**
   * What kind of bucket it is.
   *
   * @return the policy's shape
   */
  public Shape shape() {
    return shape;
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
        || other instanceof Bucket that
            && hash == that.hash
            && key.equals(that.key)
            && shape.equals(that.shape);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public int compareTo(Bucket other) {
    return ORDER.compare(this, other);
  }

  /** Tells the policy and what kind of key it is, and nobody's name. */
  @Override
  public String toString() {
    return shape.name() + "/" + key.charAt(0) + "…";
  }
}
