package io.weir.store;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Identifies a bucket of {@link ExactBuckets}: a name that a client chose, and parameters. Requests
 * with other parameters count in another bucket.
 *
 * <p>Clients choose names and can choose them so that their hashes are equal; the order keeps
 * look-ups in a hash map fast even then. A name of more than {@value #LONGEST_NAME} bytes is
 * replaced by its SHA-256, so that long names don't fill the store.
 *
 * <p>Immutable.
 */
public final class ExactBucketId implements Comparable<ExactBucketId> {
  /** The ways of counting. */
  public enum Kind {
    /** See {@link StepRefillRequest}. */
    STEP_REFILL(0),
    /** See {@link GcraRequest}. */
    GCRA(1);

    /** Stored, so it must never change: 0 and 1, and {@link #DIGEST} more for a digest. */
    private final byte code;

    Kind(int code) {
      this.code = (byte) code;
    }
  }

  /** The longest name in bytes that isn't replaced by its digest. */
  static final int LONGEST_NAME = 128;

  private static final int DIGEST = 2;
  private static final int SPREAD = 31;

  private final Kind kind;

  /** The kind, and whether the name is a digest: so no short name equals that of a long one. */
  private final byte code;

  private final byte[] name;
  private final long first;
  private final long second;
  private final long third;
  private final int hash;

  /** A short name isn't copied. */
  ExactBucketId(Kind kind, byte[] name, long first, long second, long third) {
    boolean isLong = name.length > LONGEST_NAME;
    this.kind = kind;
    this.code = (byte) (kind.code + (isLong ? DIGEST : 0));
    this.name = isLong ? digest(name) : name;
    this.first = first;
    this.second = second;
    this.third = third;
    int numbers = SPREAD * (SPREAD * Long.hashCode(first) + Long.hashCode(second));
    this.hash = SPREAD * Arrays.hashCode(this.name) + numbers + Long.hashCode(third) + code;
  }

  private static byte[] digest(byte[] name) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(name);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
  }

  /**
   * Returns the way in which it is counted.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }

  /** Encodes its identity unambiguously: everything but the name has a fixed length. */
  byte[] encoded() {
    return ByteBuffer.allocate(1 + 3 * Long.BYTES + name.length)
        .put(code)
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
            && code == that.code
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
    return thirds != 0 ? thirds : Byte.compare(code, other.code);
  }

  /** Contains the kind, but not the name. */
  @Override
  public String toString() {
    return kind + "/…";
  }
}
