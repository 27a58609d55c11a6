package io.weir.internal.redis;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import java.util.List;

/**
 * Encodes claims and decodes grants: whole numbers of 6 or 7 bytes, the most significant first,
 * which a script reads and writes without rounding. All of a call are in one string, since each
 * string costs Redis as much as some arithmetic.
 *
 * <p>A claim consists of window, effective limit, burst, needed, atLeast, extra, far, debt, the
 * position of its give-backs, which follow all claims, and their number. A grant consists of one
 * byte, permits and left; and, unless that byte says that they equal those of the grant before, as
 * for most buckets of a policy, stamp, life, retry and reset. The byte also says whether it is a
 * far lease.
 *
 * <p>For a claim of the calendar, the give-backs are preceded by begin and end of its window, how
 * much earlier its end is for callers, and the permits known to be used.
 *
 * <p>Where a debt is ignored from a time on, more than any debt is added to it, and the time
 * follows the give-backs.
 *
 * <p>A bucket with a refill has no far leases. So whether it is strict replaces far. If it is
 * strict, one more give-back follows, whose stamp is the time of the last refusal. So it does for a
 * bucket that a success clears, with the stamp of the last success.
 */
final class ClaimCodec {
  /** The maximum of limit, burst and permits, which is more than any of them reaches. */
  private static final long MAX_PERMITS = 1L << 40;

  /** The maximum of debts and give-backs, beyond all stamps. */
  private static final long MAX_NUMBER = 1L << 52;

  /** Added to a debt that is ignored from a time on; it is at most half of this. */
  private static final long UNTIL = MAX_NUMBER;

  private static final int SMALL = 6;
  private static final int LARGE = 7;
  private static final int PLACE = 3;
  private static final int CLAIM_LENGTH = 7 * SMALL + LARGE + PLACE + 1;
  private static final int BACK_LENGTH = 3 * LARGE;
  private static final int WINDOW_LENGTH = 4 * LARGE;
  private static final int MAX_GIVE_BACKS = 255;

  private static final byte SAME_TIMES = 0;
  private static final byte FAR = 2;
  private static final int SHORT_GRANT = 1 + 2 * SMALL;
  private static final int LONG_GRANT = SHORT_GRANT + 4 * LARGE;

  private ClaimCodec() {}

  static byte[] encode(List<Claim> claims) {
    int backsAt = claims.size() * CLAIM_LENGTH;
    int length = backsAt;
    for (int i = 0; i < claims.size(); i++) {
      length += tail(claims.get(i));
    }
    byte[] into = new byte[length];
    for (int i = 0; i < claims.size(); i++) {
      put(claims.get(i), backsAt, into, i * CLAIM_LENGTH);
      backsAt += tail(claims.get(i));
    }
    return into;
  }

  private static void put(Claim claim, int tailAt, byte[] into, int begin) {
    int backsAt = tailAt;
    CalendarWindow windows = claim.bucket().spec().calendar().orElse(null);
    if (windows != null) {
      backsAt = put(into, backsAt, LARGE, claim.windowBegin());
      backsAt = put(into, backsAt, LARGE, claim.windowEnd());
      backsAt = put(into, backsAt, LARGE, windows.kept().toNanos() / 1_000);
      backsAt = put(into, backsAt, LARGE, Math.min(MAX_NUMBER, claim.usedAtLeast()));
    }
    int at = begin;
    at = put(into, at, SMALL, claim.bucket().spec().windowMicros());
    at = put(into, at, SMALL, Math.min(MAX_PERMITS, claim.effectiveLimit()));
    at = put(into, at, SMALL, Math.min(MAX_PERMITS, claim.burst()));
    // One more than any limit is as impossible as any other number of permits.
    at = put(into, at, SMALL, Math.min(MAX_PERMITS + 1, claim.needed()));
    at = put(into, at, SMALL, Math.min(MAX_PERMITS + 1, claim.atLeast()));
    at = put(into, at, SMALL, Math.min(MAX_PERMITS + 1, claim.extra()));
    at = put(into, at, SMALL, Math.min(MAX_PERMITS, far(claim)));
    at = put(into, at, LARGE, debt(claim));
    at = put(into, at, PLACE, backsAt + 1);
    put(into, at, 1, giveBacks(claim));
    at = backsAt;
    int unused = giveBacks(claim) - (saysStamp(claim) ? 1 : 0);
    for (int i = 0; i < unused; i++) {
      GiveBack back = claim.giveBacks().get(i);
      at = put(into, at, LARGE, stamp(back));
      at = put(into, at, LARGE, Math.min(MAX_NUMBER, back.permits()));
      at = put(into, at, LARGE, Math.min(MAX_NUMBER, back.spent()));
    }
    if (saysStamp(claim)) {
      put(into, at, LARGE, Math.min(MAX_NUMBER, Math.max(claim.refusedAt(), claim.clearBefore())));
    }
    if (saysUntil(claim)) {
      long until = Math.min(MAX_NUMBER, claim.debtUntil());
      put(into, backsAt + giveBacks(claim) * BACK_LENGTH, LARGE, until);
    }
  }

  private static boolean saysUntil(Claim claim) {
    return claim.debt() > 0 && claim.debtUntil() > 0;
  }

  private static long debt(Claim claim) {
    return saysUntil(claim)
        ? UNTIL + Math.min(UNTIL / 2, claim.debt())
        : Math.min(MAX_NUMBER, claim.debt());
  }

  private static boolean saysStamp(Claim claim) {
    return claim.bucket().spec().strict() || claim.bucket().spec().clears();
  }

  private static int tail(Claim claim) {
    return giveBacks(claim) * BACK_LENGTH
        + (isOfCalendar(claim) ? WINDOW_LENGTH : 0)
        + (saysUntil(claim) ? LARGE : 0);
  }

  private static boolean isOfCalendar(Claim claim) {
    return claim.bucket().spec().calendar().isPresent();
  }

  /**
   * Returns the permits for a far lease. A sliding log shares its script with the sliding window,
   * but has no far leases.
   */
  private static long far(Claim claim) {
    BucketSpec spec = claim.bucket().spec();
    if (spec.hasRefill()) {
      return spec.strict() ? 1 : 0;
    }
    return spec.algorithm() == Algorithm.SLIDING_LOG || spec.clears() ? 0 : claim.far();
  }

  /**
   * Returns the number of give-backs; beyond what a node ever gives back at once they are dropped.
   */
  private static int giveBacks(Claim claim) {
    return Math.min(MAX_GIVE_BACKS, claim.giveBacks().size() + (saysStamp(claim) ? 1 : 0));
  }

  /**
   * Returns the stamp to send; one that no grant ever had is replaced by another that no grant ever
   * has.
   */
  private static long stamp(GiveBack back) {
    long stamp = back.stamp();
    if (stamp < 0) {
      return MAX_NUMBER;
    }
    return stamp < MAX_NUMBER ? stamp : MAX_NUMBER | stamp & 1; // which marks a far lease
  }

  private static int put(byte[] into, int at, int bytes, long number) {
    long rest = number;
    for (int i = at + bytes - 1; i >= at; i--) {
      into[i] = (byte) rest;
      rest >>>= Byte.SIZE;
    }
    return at + bytes;
  }

  /**
   * Reads grants in their order, one with each call.
   *
   * <p>Confine to one thread.
   */
  static final class Reader {
    private final byte[] answer;
    private int at;
    private boolean far;
    private long stamp;
    private long life;
    private long retry;
    private long reset;

    Reader(byte[] answer) {
      this.answer = answer;
    }

    /**
     * Reads the next grant.
     *
     * @throws IndexOutOfBoundsException if the answer has no more
     */
    Grant next() {
      int begin = at;
      byte kind = answer[begin];
      if (kind == SAME_TIMES) {
        at = begin + SHORT_GRANT;
      } else {
        at = begin + LONG_GRANT;
        far = kind == FAR;
        stamp = number(begin + SHORT_GRANT, LARGE);
        life = number(begin + SHORT_GRANT + LARGE, LARGE);
        retry = number(begin + SHORT_GRANT + 2 * LARGE, LARGE);
        reset = number(begin + SHORT_GRANT + 3 * LARGE, LARGE);
      }
      return Grant.builder()
          .granted(number(begin + 1, SMALL), stamp, life)
          .far(far)
          .left(number(begin + 1 + SMALL, SMALL))
          .retry(retry)
          .reset(reset)
          .build();
    }

    private long number(int from, int bytes) {
      long number = 0;
      for (int i = from; i < from + bytes; i++) {
        number = number << Byte.SIZE | answer[i] & 0xFF;
      }
      return number;
    }
  }
}
