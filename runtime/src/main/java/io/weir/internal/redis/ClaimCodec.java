package io.weir.internal.redis;

import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * How claims are written and grants are read: whole numbers of 6 or 7 bytes, the most significant
 * first, which a script reads and writes without a rounding. All of a call are in one piece, since
 * each piece costs Redis as much as some arithmetic.
 *
 * <p>A claim is window, effective limit, burst, needed, atLeast, extra, debt, where its give-backs
 * are, which follow all claims, and how many. A grant is one byte, permits and left; and, unless
 * that byte says that they are those of the grant before, as they are for most buckets of a policy,
 * stamp, life, retry and reset.
 */
final class ClaimCodec {
  /** What limit, burst and permits are cut to: more than any of them comes to. */
  private static final long MOST = 1L << 40;

  /** What debts and give-backs are cut to, and beyond which no stamp is. */
  private static final long MOST_NUMBER = 1L << 52;

  private static final int SMALL = 6;
  private static final int LARGE = 7;
  private static final int PLACE = 3;
  private static final int CLAIM_LENGTH = 6 * SMALL + LARGE + PLACE + 1;
  private static final int BACK_LENGTH = 2 * LARGE;
  private static final int MOST_BACKS = 255;

  private ClaimCodec() {}

  /** Claims as the argument of their script. */
  static byte[] encode(List<Claim> claims) {
    int backsAt = claims.size() * CLAIM_LENGTH;
    int length = backsAt;
    for (Claim claim : claims) {
      length += giveBacks(claim).size() * BACK_LENGTH;
    }
    ByteBuffer into = ByteBuffer.allocate(length);
    for (Claim claim : claims) {
      put(into, claim);
      put(into, PLACE, backsAt + 1);
      put(into, 1, giveBacks(claim).size());
      backsAt += giveBacks(claim).size() * BACK_LENGTH;
    }
    for (Claim claim : claims) {
      giveBacks(claim).forEach(back -> put(into, back));
    }
    return into.array();
  }

  private static void put(ByteBuffer into, Claim claim) {
    put(into, SMALL, claim.bucket().spec().windowMicros());
    put(into, SMALL, Math.min(MOST, claim.effectiveLimit()));
    put(into, SMALL, Math.min(MOST, claim.burst()));
    // One more than any limit is as impossible as any other number of permits.
    put(into, SMALL, Math.min(MOST + 1, claim.needed()));
    put(into, SMALL, Math.min(MOST + 1, claim.atLeast()));
    put(into, SMALL, Math.min(MOST + 1, claim.extra()));
    put(into, LARGE, Math.min(MOST_NUMBER, claim.debt()));
  }

  /** More than a node ever gives back at once would only be lost permits. */
  private static List<GiveBack> giveBacks(Claim claim) {
    List<GiveBack> giveBacks = claim.giveBacks();
    return giveBacks.size() > MOST_BACKS ? giveBacks.subList(0, MOST_BACKS) : giveBacks;
  }

  private static void put(ByteBuffer into, GiveBack back) {
    // A stamp that no grant ever had is told as another one that no grant ever has.
    long stamp = back.stamp() < 0 ? MOST_NUMBER : Math.min(MOST_NUMBER, back.stamp());
    put(into, LARGE, stamp);
    put(into, LARGE, Math.min(MOST_NUMBER, back.permits()));
  }

  private static void put(ByteBuffer into, int bytes, long number) {
    for (int shift = (bytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      into.put((byte) (number >>> shift));
    }
  }

  /**
   * Reads grants in their order.
   *
   * @throws BufferUnderflowException if the answer has less
   */
  static List<Grant> grants(ByteBuffer answer, int count) {
    List<Grant> grants = new ArrayList<>(count);
    Grant before = Grant.refused(0, 0, 0);
    for (int i = 0; i < count; i++) {
      before = grant(answer, before);
      grants.add(before);
    }
    return grants;
  }

  private static Grant grant(ByteBuffer answer, Grant before) {
    boolean otherTimes = answer.get() != 0;
    long permits = number(answer, SMALL);
    long left = number(answer, SMALL);
    if (!otherTimes) {
      return Grant.builder()
          .granted(permits, before.stamp(), before.life())
          .left(left)
          .retry(before.retry())
          .reset(before.reset())
          .build();
    }
    long stamp = number(answer, LARGE);
    long life = number(answer, LARGE);
    return Grant.builder()
        .granted(permits, stamp, life)
        .left(left)
        .retry(number(answer, LARGE))
        .reset(number(answer, LARGE))
        .build();
  }

  private static long number(ByteBuffer from, int bytes) {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number = number << Byte.SIZE | from.get() & 0xFF;
    }
    return number;
  }
}
