package io.weir.internal.postgres;

import io.weir.internal.store.ClaimBytes;
import io.weir.store.BucketArithmetic;
import io.weir.store.BucketFormatException;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Claims that stand before the bytes of a bucket, in the same row, and are still to be executed on
 * it. They count from the server's time at which they were appended: whoever reads the row executes
 * them first, the oldest first, each at its time; whoever replaces the row leaves them out.
 *
 * <p>So claims that take nothing need no race. They are appended to whatever the row holds, by one
 * statement of the server's, which gives it another version; and a row is replaced only by what was
 * computed from the version that it has. So each is executed once. The outcome depends on the row's
 * bytes alone, hence all nodes compute the same.
 *
 * <p>The bytes: for all claims that were appended together, the newest first, {@link #MARK}, the
 * number of the {@link ClaimBytes} in four bytes, these, and the time in eight. The bucket's own
 * bytes come last. They begin with the number of their format, which is never the mark.
 *
 * <p>Immutable.
 *
 * @param oldest the claims, the oldest first
 * @param bucket the bytes of the bucket; null if it is fresh
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record AppendedClaims(List<Together> oldest, byte @Nullable [] bucket) {
  private static final byte MARK = (byte) 0xFF;

  /**
   * Reads a row's bytes.
   *
   * @param state null for a fresh bucket
   * @throws BucketFormatException if they end too early
   */
  static AppendedClaims read(byte @Nullable [] state) {
    if (state == null || state.length == 0 || state[0] != MARK) {
      return new AppendedClaims(List.of(), state);
    }
    Deque<Together> claims = new ArrayDeque<>();
    ByteBuffer rest = ByteBuffer.wrap(state);
    while (rest.hasRemaining() && rest.get(rest.position()) == MARK) {
      rest.get();
      claims.addFirst(new Together(claims(rest), rest.getLong()));
    }
    byte[] bucket = new byte[rest.remaining()];
    rest.get(bucket);
    return new AppendedClaims(List.copyOf(claims), bucket.length == 0 ? null : bucket);
  }

  private static byte[] claims(ByteBuffer rest) {
    int length = rest.remaining() < Integer.BYTES ? -1 : rest.getInt();
    if (length < 0 || length > rest.remaining() - Long.BYTES) {
      throw new BucketFormatException(
          "the bytes of a bucket can't be read: they end within a claim appended to them");
    }
    byte[] claims = new byte[length];
    rest.get(claims);
    return claims;
  }

  /**
   * Returns bytes that stand before a row's, once the server has put its time between the two, in
   * eight bytes.
   */
  static byte[] withoutTime(List<Claim> claims) {
    byte[] bytes = ClaimBytes.toBytes(claims);
    return ByteBuffer.allocate(1 + Integer.BYTES + bytes.length)
        .put(MARK)
        .putInt(bytes.length)
        .put(bytes)
        .array();
  }

  /** Counts how often claims were appended. Bytes that can't be read have no room. */
  static int count(byte @Nullable [] state) {
    try {
      return read(state).oldest.size();
    } catch (BucketFormatException unreadable) {
      return Integer.MAX_VALUE; // the next claim reports it
    }
  }

  /** Splits a row's bytes that begin with claims. */
  static Newest newest(byte[] state) {
    ByteBuffer rest = ByteBuffer.wrap(state, 1, state.length - 1);
    byte[] unused = claims(rest);
    long at = rest.getLong();
    byte[] before = new byte[rest.remaining()];
    rest.get(before);
    return new Newest(at, before.length == 0 ? null : before);
  }

  /**
   * Executes them.
   *
   * @return the bucket's bytes afterwards; null if it is fresh
   * @throws IllegalArgumentException if the bucket can't be read or counted
   */
  byte @Nullable [] execute(BucketArithmetic arithmetic, BucketId id) {
    byte[] bytes = bucket;
    for (Together each : oldest) {
      for (Claim claim : ClaimBytes.fromBytes(id, each.claims())) {
        bytes = arithmetic.execute(bytes, claim, each.at()).bytes();
      }
    }
    return bytes;
  }

  /**
   * Claims that were appended by one statement.
   *
   * @param claims {@link ClaimBytes}
   * @param at microseconds since the epoch, by the server's clock
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Together(byte[] claims, long at) {}

  /**
   * A row's bytes without the claims that were appended last.
   *
   * @param at when they were
   * @param before the bytes before that; null for a fresh bucket
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Newest(long at, byte @Nullable [] before) {}
}
