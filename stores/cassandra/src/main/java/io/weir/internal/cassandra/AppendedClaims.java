package io.weir.internal.cassandra;

import io.weir.internal.store.ClaimBytes;
import io.weir.store.BucketFormatException;
import io.weir.store.BucketId;
import io.weir.store.Claim;
import java.nio.ByteBuffer;
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
    byte[] all = ClaimBytes.toBytes(claims);
    return ByteBuffer.allocate(Long.BYTES + all.length).putLong(time).put(all).array();
  }

  /**
   * Reads what {@link #toBytes} wrote.
   *
   * @throws BucketFormatException if that isn't what the bytes are
   */
  static AppendedClaims fromBytes(BucketId bucket, byte[] bytes) {
    if (bytes.length < Long.BYTES) {
      throw new BucketFormatException("appended claims can't be read: they end too early");
    }
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    long time = rest.getLong();
    byte[] all = new byte[rest.remaining()];
    rest.get(all);
    return new AppendedClaims(time, ClaimBytes.fromBytes(bucket, all));
  }
}
