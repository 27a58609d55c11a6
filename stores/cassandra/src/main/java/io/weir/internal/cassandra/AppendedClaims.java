package io.weir.internal.cassandra;

import io.weir.internal.store.ClaimBytes;
import io.weir.store.BucketFormatException;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The claims that a node has appended to a level together, and the store's time at which they are
 * to be executed.
 */
record AppendedClaims(long time, List<Claim> claims) {
  /**
   * Returns whether claims may be appended: they take nothing, at least one changes something, and
   * all have the same limits, so that one stamp answers all.
   */
  static boolean canBe(List<Claim> claims) {
    Claim first = claims.get(0);
    return claims.stream().allMatch(ClaimBytes::canKeep)
        && !claims.stream().allMatch(Claim::peeks)
        && claims.stream()
            .allMatch(
                each ->
                    each.effectiveLimit() == first.effectiveLimit()
                        && each.burst() == first.burst());
  }

  byte[] toBytes() {
    List<byte[]> all = claims.stream().map(ClaimBytes::toBytes).toList();
    int length = all.stream().mapToInt(each -> Integer.BYTES + each.length).sum();
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + length).putLong(time);
    all.forEach(each -> bytes.putInt(each.length).put(each));
    return bytes.array();
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws BucketFormatException if that isn't what the bytes are
   */
  static AppendedClaims fromBytes(BucketId bucket, byte[] bytes) {
    try {
      ByteBuffer left = ByteBuffer.wrap(bytes);
      long time = left.getLong();
      List<Claim> claims = new ArrayList<>();
      while (left.hasRemaining()) {
        int length = left.getInt();
        if (length < 0 || length > left.remaining()) {
          throw new BucketFormatException(
              "appended claims can't be read: one has " + length + " bytes");
        }
        byte[] claim = new byte[length];
        left.get(claim);
        claims.add(ClaimBytes.fromBytes(bucket, claim));
      }
      return new AppendedClaims(time, claims);
    } catch (BufferUnderflowException tooShort) {
      throw new BucketFormatException("appended claims can't be read: they end too early");
    }
  }
}
