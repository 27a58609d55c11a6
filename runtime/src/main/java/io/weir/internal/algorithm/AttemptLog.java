package io.weir.internal.algorithm;

import io.weir.store.BucketSpec;
import io.weir.store.GiveBack;
import java.util.ArrayList;
import java.util.List;

/**
 * A sliding window that a success clears: it counts attempts, such as passwords that are tried, and
 * remembers of each what became of it.
 *
 * <p><b>How this works.</b> The simplest idea is to reset the bucket when somebody signs in. Its
 * flaw is that this frees guesses that are still running: each sign-in of the account's owner would
 * buy a guesser another round at once. And what came back of these later would be taken off others'
 * failures. So each grant is an entry under a stamp of its own, with the permits whose requests are
 * running and those whose requests have failed. Both count. A request that ends without counting
 * gives its permit back, one that fails reports that, and a success names its own stamp: then the
 * failures go that had been reported before that stamp was given out.
 *
 * <p><b>The law.</b> A permit is running, failed or gone, and only ever goes on in this order. A
 * give-back takes running permits of its own stamp and no others, a clear takes failed ones. So
 * none is ever credited twice, whatever is late or repeated; and a permit whose report was lost
 * stays charged until it is a window old. Which failures a success clears depends on the order in
 * which this bucket has heard of them, and on no clock.
 *
 * <p>Stamps rise with each grant. They are the time of the grant and the shortest life of one, or
 * more if several are made within a microsecond; a permit counts until its stamp is a window old.
 * Debts are charged as if their requests were running for ever: no success clears them.
 *
 * <p>Of more than {@value #MAX_ENTRIES} entries the two oldest become one: a permit then counts a
 * little longer, and one that is given back late isn't credited.
 *
 * <p>Invariant: permits charged later than one window ago, less those given back and cleared, are
 * at most the largest limit claimed in that time, plus debts.
 */
final class AttemptLog extends BucketState {
  static final int CODE = 7;

  static final int MAX_ENTRIES = 2_048;

  private final long window;
  private final List<Attempts> entries = new ArrayList<>(); // by their stamps
  private long used;
  private long lastStamp;
  private long nextStamp;
  private long effectiveLimit;

  /** Permits of one grant. */
  private static final class Attempts {
    private long stamp;
    private long running;
    private long failed;

    /** The last stamp that had been given out when the last failure was reported. */
    private long failedAfter;

    Attempts(long stamp) {
      this.stamp = stamp;
    }

    Attempts(Attempts original) {
      stamp = original.stamp;
      running = original.running;
      failed = original.failed;
      failedAfter = original.failedAfter;
    }

    void fail(long permits, long after) {
      running -= permits;
      failed += permits;
      failedAfter = permits > 0 ? after : failedAfter;
    }

    void include(Attempts older) {
      running += older.running;
      failed += older.failed;
      failedAfter = Math.max(stamp, Math.max(failedAfter, older.failedAfter));
    }

    boolean isEmpty() {
      return running + failed == 0;
    }
  }

  AttemptLog(long window, long minLife) {
    super(minLife);
    this.window = window;
  }

  private AttemptLog(AttemptLog original) {
    super(original);
    window = original.window;
    original.entries.forEach(each -> entries.add(new Attempts(each)));
    used = original.used;
    lastStamp = original.lastStamp;
    nextStamp = original.nextStamp;
    effectiveLimit = original.effectiveLimit;
  }

  @Override
  public BucketState copy() {
    return new AttemptLog(this);
  }

  /** An empty one is kept until a fresh one wouldn't give out its last stamp again. */
  @Override
  public long expiresAt() {
    return entries.isEmpty()
        ? Math.max(lastClaimAt(), lastStamp - minLife() + 1)
        : newest().stamp + window;
  }

  private Attempts newest() {
    return entries.get(entries.size() - 1);
  }

  @Override
  int code() {
    return CODE;
  }

  @Override
  long window() {
    return window;
  }

  @Override
  void write(BucketEncoder writer) {
    writer.putTime(lastStamp, lastClaimAt());
    writer.put(entries.size());
    long before = lastStamp;
    for (int i = entries.size() - 1; i >= 0; i--) {
      Attempts each = entries.get(i);
      writer.put(before - each.stamp);
      writer.put(each.running);
      writer.put(each.failed);
      if (each.failed > 0) {
        writer.put(each.failedAfter - each.stamp);
      }
      before = each.stamp;
    }
  }

  @Override
  void read(BucketDecoder reader) {
    lastStamp = reader.time("the last stamp", lastClaimAt());
    long size = reader.number("the number of attempts", 0, MAX_ENTRIES);
    long before = lastStamp;
    for (long i = 0; i < size; i++) {
      Attempts each =
          new Attempts(before - reader.number("the time before the next", i == 0 ? 0 : 1, before));
      each.running = reader.number("the running attempts", 0, MAX_PERMITS);
      each.failed = reader.number("the failed attempts", each.running == 0 ? 1 : 0, MAX_PERMITS);
      if (each.failed > 0) {
        each.failedAfter =
            each.stamp + reader.number("the last stamp at the report", 0, lastStamp - each.stamp);
      }
      entries.add(0, each);
      used += each.running + each.failed;
      before = each.stamp;
    }
  }

  @Override
  void roll(long now, long inForce, long burst) {
    effectiveLimit = inForce;
    nextStamp = Math.max(now + minLife(), lastStamp + 1);
    while (!entries.isEmpty() && entries.get(0).stamp <= now - window) {
      Attempts oldest = entries.remove(0);
      used -= oldest.running + oldest.failed;
    }
  }

  @Override
  long most() {
    return effectiveLimit;
  }

  @Override
  long free() {
    return Math.max(0, effectiveLimit - used);
  }

  @Override
  void charge(long permits) {
    if (permits == 0) {
      return;
    }
    if (entries.isEmpty() || newest().stamp < nextStamp) {
      entries.add(new Attempts(nextStamp));
      lastStamp = nextStamp;
    }
    Attempts newest = newest();
    long charged = Math.min(permits, MAX_PERMITS - newest.running);
    newest.running += charged;
    used += charged;
    if (entries.size() > MAX_ENTRIES) {
      entries.get(1).include(entries.remove(0));
    }
  }

  @Override
  void accountFor(GiveBack back) {
    for (int i = 0; i < entries.size(); i++) {
      Attempts each = entries.get(i);
      if (each.stamp == back.stamp()) {
        each.fail(Math.min(each.running, back.spent()), lastStamp);
        long credited = Math.min(each.running, back.permits());
        each.running -= credited;
        used -= credited;
      }
    }
    entries.removeIf(Attempts::isEmpty);
  }

  @Override
  void giveBack(long stamp, long permits) {
    accountFor(new GiveBack(stamp, permits));
  }

  @Override
  void clearBefore(long stamp) {
    for (Attempts each : entries) {
      if (each.failed > 0 && each.failedAfter < stamp) {
        used -= each.failed;
        each.failed = 0;
      }
    }
    entries.removeIf(Attempts::isEmpty);
  }

  @Override
  long stamp() {
    return nextStamp;
  }

  @Override
  long life(long now) {
    return nextStamp - now;
  }

  @Override
  long until(long wanted) {
    long missing = used - (effectiveLimit - wanted);
    for (Attempts each : entries) {
      missing -= each.running + each.failed;
      if (missing <= 0) {
        return each.stamp + window;
      }
    }
    return lastClaimAt() + window;
  }

  /** No lease is worth holding: what becomes of each request is to be known by its stamp. */
  static long lease(long window, long effectiveLimit, long burst, long minLife) {
    return 0;
  }

  /** For how long a charge counts after the end of its life: a window. */
  static long counts(BucketSpec spec, long effectiveLimit, long burst) {
    return spec.windowMicros();
  }
}
