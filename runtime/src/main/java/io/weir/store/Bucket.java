package io.weir.store;

import io.weir.Key;
import io.weir.Shape;

/**
 * The thing that has a count: the shape of one policy × one key.
 *
 * <p>Immutable.
 */
public final class Bucket {
  private final Shape shape;
  private final Key key;
  private final int hash;

  /**
   * Names a bucket.
   *
   * @param shape the policy's shape
   * @param key whom it counts
   */
  public Bucket(Shape shape, Key key) {
    this.shape = shape;
    this.key = key;
    this.hash = 31 * shape.name().hashCode() + key.hashCode();
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
   * Whose it is.
   *
   * @return the key
   */
  public Key key() {
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
  public String toString() {
    return shape.name() + "/" + key;
  }
}
