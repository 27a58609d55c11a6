package io.weir.internal.algorithm;

import io.weir.store.ExactRequest;
import io.weir.store.LiveExactBucket;
import io.weir.store.StepRefillReply;
import io.weir.store.StepRefillRequest;

/**
 * Counts a token bucket that is refilled in whole steps, as described at {@link StepRefillRequest}.
 * All its times are milliseconds, since clients name them. {@code reduce.lua} does the same.
 *
 * <p>Not safe for concurrent use.
 */
public final class StepRefillBucket implements LiveExactBucket {
  /**
   * The longest life: a bucket is dropped after a century, however long it would take to be full.
   */
  static final long MAX_LIFE_MILLIS = 36_500L * 86_400_000L;

  private static final int FORMAT = 1;
  private static final long MICROS = 1_000;

  private boolean fresh = true;
  private boolean changed;
  private long tokens;
  private long refilledAt;
  private long grantedAt;
  private long expiresAt;

  /** Reads the result of {@link #toBytes()}. */
  public static StepRefillBucket read(byte[] bytes) {
    BucketDecoder from = new BucketDecoder(bytes);
    StepRefillBucket bucket = new StepRefillBucket();
    from.number("the format", FORMAT, FORMAT);
    bucket.fresh = false;
    bucket.tokens = from.number("the tokens", 0, StepRefillRequest.MAX);
    bucket.refilledAt = from.number("the last refill", 0, StepRefillRequest.MAX);
    bucket.grantedAt = from.time("the last grant", bucket.refilledAt);
    from.end();
    return bucket;
  }

  @Override
  @SuppressWarnings("unchecked") // a request for steps has such a reply
  public <R> R execute(ExactRequest<R> request, long clockMicros) {
    return (R) take((StepRefillRequest) request, clockMicros);
  }

  private StepRefillReply take(StepRefillRequest request, long clockMicros) {
    long now = request.at() >= 0 ? request.at() : clockMicros / MICROS;
    long steps = fresh || now <= refilledAt ? 0 : (now - refilledAt) / request.refillMillis();
    long available = available(request, steps);
    boolean granted = fresh || available >= request.take();
    changed = request.take() > 0;
    if (!changed) {
      return new StepRefillReply(available, fresh ? now : grantedAt);
    }
    long base = fresh ? now : refilledAt;
    tokens = Math.max(0, available - request.take());
    long refilled = base + steps * request.refillMillis();
    // Never back: steps would be refilled again that a client with a later time has had.
    refilledAt = request.strict() && tokens == 0 ? Math.max(now, refilled) : refilled;
    grantedAt = granted ? now : grantedAt;
    fresh = false;
    expiresAt = clockMicros + MICROS * lifeMillis(request);
    return new StepRefillReply(available, grantedAt);
  }

  private long available(StepRefillRequest request, long steps) {
    if (fresh) {
      return request.max();
    }
    long missing = request.max() - tokens;
    return steps >= stepsFor(missing, request.refill())
        ? request.max()
        : tokens + steps * request.refill();
  }

  private static long stepsFor(long missing, long refill) {
    return (missing + refill - 1) / refill;
  }

  private static long lifeMillis(StepRefillRequest request) {
    long steps = stepsFor(request.max(), request.refill());
    return steps > MAX_LIFE_MILLIS / request.refillMillis()
        ? MAX_LIFE_MILLIS
        : steps * request.refillMillis();
  }

  @Override
  public boolean isChanged() {
    return changed;
  }

  @Override
  public long expiresAt() {
    return expiresAt;
  }

  @Override
  public byte[] toBytes() {
    BucketEncoder into = new BucketEncoder();
    into.put(FORMAT);
    into.put(tokens);
    into.put(refilledAt);
    into.putTime(grantedAt, refilledAt);
    return into.toBytes();
  }
}
