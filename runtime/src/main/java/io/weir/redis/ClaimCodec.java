package io.weir.redis;

import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/**
 * How claims are written and grants are read. A claim is whole numbers of 6 or 7 bytes, the most
 * significant first, which a script reads in one step and without a rounding.
 *
 * <p>A claim for all of some permits or none, by far the most common one, is window, capacity,
 * burst, needed; every other has atLeast, extra, owed and the give-backs after these. A grant comes
 * as its six numbers.
 */
final class ClaimCodec {
  /** What capacity, burst and permits are cut to: more than any of them comes to. */
  private static final long MOST = 1L << 40;

  /** What debts and give-backs are cut to, and beyond which no stamp is. */
  private static final long MOST_NUMBER = 1L << 52;

  private static final int SMALL = 6;
  private static final int LARGE = 7;
  private static final int SHORT_LENGTH = 4 * SMALL;
  private static final int LONG_LENGTH = 6 * SMALL + LARGE;

  /** How many numbers a grant is. */
  static final int GRANT_NUMBERS = 6;

  private ClaimCodec() {}

  /** A claim as an argument of its script. */
  static byte[] encode(Claim claim) {
    boolean plain = isPlain(claim);
    List<GiveBack> backs = claim.backs();
    int length = plain ? SHORT_LENGTH : LONG_LENGTH + backs.size() * 2 * LARGE;
    ByteBuffer into = ByteBuffer.allocate(length);
    put(into, SMALL, claim.bucket().shape().windowMicros());
    put(into, SMALL, Math.min(MOST, claim.capacity()));
    put(into, SMALL, Math.min(MOST, claim.burst()));
    // One more than any capacity is as impossible as any other number of permits.
    put(into, SMALL, Math.min(MOST + 1, claim.needed()));
    if (!plain) {
      put(into, SMALL, Math.min(MOST + 1, claim.atLeast()));
      put(into, SMALL, Math.min(MOST + 1, claim.extra()));
      put(into, LARGE, Math.min(MOST_NUMBER, claim.owed()));
      backs.forEach(back -> put(into, back));
    }
    return into.array();
  }

  /** Reads the grant of which the first number is at an index. */
  static Grant grant(List<?> answers, int from) {
    return new Grant(
        number(answers, from),
        number(answers, from + 1),
        number(answers, from + 2),
        number(answers, from + 3),
        number(answers, from + 4),
        number(answers, from + 5));
  }

  private static long number(List<?> answers, int at) {
    return ((Number) Objects.requireNonNull(answers.get(at))).longValue();
  }

  private static boolean isPlain(Claim claim) {
    return claim.atLeast() == claim.needed()
        && claim.extra() == 0
        && claim.owed() == 0
        && claim.backs().isEmpty();
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
}
