package io.weir.internal.algorithm;

import io.weir.store.ExactRequest;
import io.weir.store.GcraReply;
import io.weir.store.GcraRequest;
import io.weir.store.LiveExactBucket;

/**
 * Counts by the generic cell rate algorithm: a bucket keeps its theoretical arrival time, from
 * which on it equals a fresh one. {@code throttle.lua} does the same.
 *
 * <p>Times are microseconds and a fraction, which is a number of {@code count}-th parts, since a
 * period needn't be a multiple of its count and nothing is ever rounded. What {@code q} cells take
 * is {@code q × period ÷ count}, which is worked out from quotient and remainder of {@code period ÷
 * count} so that no product is as large as 2<sup>53</sup>.
 *
 * <p>Not safe for concurrent use.
 */
public final class Gcra implements LiveExactBucket {
  private static final int FORMAT = 1;

  private boolean changed;
  private long arrival;
  private long arrivalFraction;
  private long arrivalRoundedUp;

  /** Reads the result of {@link #toBytes()}. */
  public static Gcra read(byte[] bytes) {
    BucketDecoder from = new BucketDecoder(bytes);
    Gcra bucket = new Gcra();
    from.number("the format", FORMAT, FORMAT);
    bucket.arrival = from.number("the arrival", 0, BucketDecoder.LATEST);
    bucket.arrivalFraction = from.number("its fraction", 0, GcraRequest.MAX);
    from.end();
    return bucket;
  }

  @Override
  @SuppressWarnings("unchecked") // a request for cells has such a reply
  public <R> R execute(ExactRequest<R> request, long clockMicros) {
    return (R) take((GcraRequest) request, clockMicros);
  }

  private GcraReply take(GcraRequest request, long now) {
    changed = false;
    long count = request.count();
    long cells = request.maxBurst() + 1;
    long most = whole(request, cells);
    long mostFraction = fraction(request, cells);

    long backlog = arrival >= now ? arrival - now : 0;
    long backlogFraction = arrival >= now ? arrivalFraction : 0;
    if (isMore(backlog, backlogFraction, most, mostFraction)) { // the clock was set back
      backlog = most;
      backlogFraction = mostFraction;
    }
    long quantity = request.quantity();
    if (quantity > cells) {
      return new GcraReply(
          true,
          room(request, most - backlog, mostFraction - backlogFraction),
          -1,
          up(backlog, backlogFraction));
    }
    long after = backlog + whole(request, quantity);
    long afterFraction = backlogFraction + fraction(request, quantity);
    if (afterFraction >= count) {
      after++;
      afterFraction -= count;
    }
    if (isMore(after, afterFraction, most, mostFraction)) {
      return new GcraReply(
          true,
          room(request, most - backlog, mostFraction - backlogFraction),
          up(after - most, afterFraction - mostFraction),
          up(backlog, backlogFraction));
    }
    if (quantity > 0) {
      changed = true;
      arrival = now + after;
      arrivalFraction = afterFraction;
      arrivalRoundedUp = now + up(after, afterFraction);
    }
    return new GcraReply(
        false,
        room(request, most - after, mostFraction - afterFraction),
        -1,
        up(after, afterFraction));
  }

  private static boolean isMore(long a, long aFraction, long b, long bFraction) {
    return a > b || a == b && aFraction > bFraction;
  }

  /** Returns the time that cells take, in whole microseconds. */
  private static long whole(GcraRequest request, long cells) {
    long count = request.count();
    long rest = request.periodMicros() % count;
    return cells * (request.periodMicros() / count) + cells * rest / count;
  }

  /** Returns the rest of that time, as a fraction of a microsecond. */
  private static long fraction(GcraRequest request, long cells) {
    return cells * (request.periodMicros() % request.count()) % request.count();
  }

  /** Rounds up; a fraction is more than -count and less than count. */
  private static long up(long micros, long fraction) {
    return fraction > 0 ? micros + 1 : micros;
  }

  /**
   * Returns the number of cells that fit into a time: first by doubles, which is off by one at
   * most.
   */
  private static long room(GcraRequest request, long micros, long fraction) {
    if (fraction < 0) {
      return room(request, micros - 1, fraction + request.count());
    }
    double each = (double) request.periodMicros() / request.count();
    double all = micros + (double) fraction / request.count();
    long cells = (long) Math.floor(all / each);
    if (!fits(request, cells, micros, fraction)) {
      return cells - 1;
    }
    return fits(request, cells + 1, micros, fraction) ? cells + 1 : cells;
  }

  /** A fraction of the time is 0 and more, so the difference of fractions is less than a whole. */
  private static boolean fits(GcraRequest request, long cells, long micros, long fraction) {
    long left = micros - whole(request, cells);
    return left > 0 || left == 0 && fraction >= fraction(request, cells);
  }

  @Override
  public boolean isChanged() {
    return changed;
  }

  @Override
  public long expiresAt() {
    return arrivalRoundedUp;
  }

  @Override
  public byte[] toBytes() {
    BucketEncoder into = new BucketEncoder();
    into.put(FORMAT);
    into.put(arrival);
    into.put(arrivalFraction);
    return into.toBytes();
  }
}
