package io.weir.store;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A bucket of {@link ExactBuckets}: a name that a client chose, and parameters. Requests with other
 * parameters count in another bucket.
 *
 * <p>Clients choose names and can choose them so that their hashes are equal; the order keeps
 * look-ups in a hash map fast even then.
 *
 * <p>Immutable.
 */
public final class ExactBucketId implements Comparable<ExactBucketId> {
  /** How buckets are counted. */
  public enum Kind {
    /** See {@link StepRefillRequest}. */
    STEP_REFILL(0),
    /** See {@link GcraRequest}. */
    GCRA(1);

    /** Part of what stores keep, so it stays. */
    private final byte code;

    Kind(int code) {
      this.code = (byte) code;
    }
  }

  private static final int SPREAD = 31;

  private final Kind kind;
  private final byte[] name;
  private final long first;
  private final long second;
  private final long third;
  private final int hash;

  /** The name isn't copied. */
  ExactBucketId(Kind kind, byte[] name, long first, long second, long third) {
    this.kind = kind;
    this.name = name;
    this.first = first;
    this.second = second;
    this.third = third;
    int numbers = SPREAD * (SPREAD * Long.hashCode(first) + Long.hashCode(second));
    this.hash = SPREAD * Arrays.hashCode(name) + numbers + Long.hashCode(third) + kind.code;
  }

  /**
   * How it is counted.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }

  /** What tells it apart, without ambiguity: everything but the name is of fixed length. */
  byte[] encoded() {
    return ByteBuffer.allocate(1 + 3 * Long.BYTES + name.length)
        .put(kind.code)
        .putLong(first)
        .putLong(second)
        .putLong(third)
        .put(name)
        .array();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || other instanceof ExactBucketId that
            && hash == that.hash
            && kind == that.kind
            && first == that.first
            && second == that.second
            && third == that.third
            && Arrays.equals(name, that.name);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public int compareTo(ExactBucketId other) {
    int names = Arrays.compare(name, other.name);
    if (names != 0) {
      return names;
    }
    int firsts = Long.compare(first, other.first);
    int seconds = firsts != 0 ? firsts : Long.compare(second, other.second);
    int thirds = seconds != 0 ? seconds : Long.compare(third, other.third);
    return thirds != 0 ? thirds : kind.compareTo(other.kind);
  }

  /** Tells the kind, and nobody's name. */
  @Override
  public String toString() {
    return kind + "/…";
  }
}
