package io.weir.internal.permits;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.internal.value.DurationText;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Implements the {@link Decision} of one request, with the data needed to refund it.
 *
 * <p>Safe for concurrent use; only whether it was refunded ever changes.
 */
public final class RequestDecision implements Decision {
  private static final Outcome[] OUTCOMES = Outcome.values();
  private static final Reason[] REASONS = Reason.values();
  // Durations are in nanoseconds, so a longer time can't be expressed.
  private static final long MAX_MICROS = Long.MAX_VALUE / 1_000;

  /**
   * The microseconds until a request that is never admitted would be: more than any other time, and
   * half of what nanoseconds can express, so that they may be added to a time.
   */
  public static final long NEVER = (1L << 52) + 1;

  static final int TAKEN = 1;
  static final int DEGRADED = 2;
  static final int FREE = 4;
  private static final byte GIVEN_BACK = 1;
  private static final byte KEPT = 2;

  /** The name of the policy whose decisions are those of access lists. */
  public static final String ACCESS_LIST = "access-list";

  private static final VarHandle REFUNDED = refundedHandle();

  // One is made for each request, so it fits into 48 bytes: the data that requests share is in the
  // terms, small values take a byte, and values that exclude each other share a field.
  private final RequestTerms terms;
  private final Key key;
  private final int remaining;
  private final byte outcome;
  private final byte reason;
  private final byte flags;

  @SuppressWarnings("FieldCanBeFinal") // written through REFUNDED
  private volatile byte refunded;

  private final long resetMicros;

  /** The stamp of the grant if permits were taken, else the microseconds until there are enough. */
  private final long stampOrRetry;

  private final List<Decision> parts;

  RequestDecision(
      RequestTerms terms,
      Key key,
      Outcome outcome,
      Reason reason,
      int flags,
      long remaining,
      long resetMicros,
      long stampOrRetry) {
    this.terms = terms;
    this.key = key;
    this.remaining = (int) Math.min(Integer.MAX_VALUE, remaining);
    this.outcome = ordinal(outcome);
    this.reason = ordinal(reason);
    this.flags = (byte) flags;
    this.resetMicros = resetMicros;
    this.stampOrRetry = stampOrRetry;
    this.parts = List.of();
  }

  /**
   * Speaks for several decisions by the closest of them.
   *
   * @param parts at least one; not copied, and so not to be changed afterwards
   */
  RequestDecision(RequestDecision closest, List<Decision> parts, boolean degraded) {
    this.terms = closest.terms;
    this.key = closest.key;
    this.remaining = closest.remaining;
    this.outcome = closest.outcome;
    this.reason = closest.reason;
    this.flags = (byte) (degraded ? DEGRADED : 0);
    this.resetMicros = closest.resetMicros;
    // The longest of those that refused, since it is the closest.
    this.stampOrRetry = closest.retryMicros();
    this.parts = parts;
  }

  @SuppressWarnings("EnumOrdinal") // a byte where a reference takes four; it never leaves here
  private static byte ordinal(Enum<?> value) {
    return (byte) value.ordinal();
  }

  private static VarHandle refundedHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(RequestDecision.class, "refunded", byte.class);
    } catch (ReflectiveOperationException mistake) {
      throw new ExceptionInInitializerError(mistake);
    }
  }

  /**
   * Admits a request that took its permits.
   *
   * @param left permits that a caller under these terms could take now
   * @param reset microseconds until there are more
   * @param stamp the mark of the window that the permits were taken from
   */
  public static Decision admit(RequestTerms terms, Key key, long left, long reset, long stamp) {
    return new RequestDecision(
        terms,
        key,
        terms.outcome(left),
        Reason.WITHIN_LIMIT,
        TAKEN,
        terms.remaining(left),
        terms.reset(left, reset),
        stamp);
  }

  /**
   * Refuses a request because there are too few permits.
   *
   * @param left permits that a caller under these terms could take now
   * @param reset microseconds until there are more
   * @param retry microseconds until there are enough for the request
   * @return the decision; a policy in shadow mode admits nevertheless
   */
  public static Decision refuse(RequestTerms terms, Key key, long left, long reset, long retry) {
    return new RequestDecision(
        terms,
        key,
        terms.policy().shadow() ? Outcome.SHADOW_REFUSED : Outcome.REFUSED,
        Reason.QUOTA_EXCEEDED,
        0,
        terms.remaining(left),
        terms.reset(left, reset),
        retry);
  }

  /** Starts the decision of one policy under its own limit: an admission with nothing left. */
  public static RequestDecisionBuilder builder(Policy policy, Key key) {
    return new RequestDecisionBuilder(policy, key, null);
  }

  /**
   * Starts the decision of one policy under the part of a limit that this region counts: an
   * admission with nothing left.
   *
   * @param part null if the limit is whole
   */
  public static RequestDecisionBuilder builder(Policy policy, Key key, @Nullable RegionPart part) {
    return new RequestDecisionBuilder(policy, key, part);
  }

  /** Starts the decision of a request under some terms: an admission with nothing left. */
  public static RequestDecisionBuilder builder(RequestTerms terms, Key key) {
    return new RequestDecisionBuilder(terms.policy(), key, terms.part())
        .remaining(terms.limit(), 0)
        .cost(terms.permits());
  }

  /**
   * Casts a decision.
   *
   * @throws IllegalArgumentException if it is another implementation than Weir's
   */
  public static RequestDecision cast(Decision decision) {
    if (decision instanceof RequestDecision own) {
      return own;
    }
    throw new IllegalArgumentException(
        "not a decision of a RateLimiter but of " + decision.getClass());
  }

  @Override
  public boolean admitted() {
    return outcome().admitted();
  }

  @Override
  public Outcome outcome() {
    return OUTCOMES[outcome];
  }

  @Override
  public Reason reason() {
    return REASONS[reason];
  }

  @Override
  public boolean degraded() {
    return (flags & DEGRADED) != 0;
  }

  @Override
  public Policy policy() {
    return terms.policy();
  }

  @Override
  public Key key() {
    return key;
  }

  @Override
  public long limit() {
    return terms.limit();
  }

  /** Returns the caller's limit over all regions, of which {@link #limit} may be a part. */
  public long wholeLimit() {
    return terms.wholeLimit();
  }

  /** Returns the permits at once within {@link #limit}. */
  public long atOnce() {
    return terms.atOnce();
  }

  /** Returns the permits that come back at once within {@link #limit}; 0 without a refill. */
  public long refill() {
    return terms.refill();
  }

  @Override
  public long remaining() {
    return remaining;
  }

  @Override
  public Duration resetAfter() {
    return micros(resetMicros);
  }

  @Override
  public Duration retryAfter() {
    return micros(retryMicros());
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(Math.min(MAX_MICROS, micros) * 1_000);
  }

  /** Returns {@link #resetAfter} in microseconds, without an object. */
  public long resetMicros() {
    return Math.min(MAX_MICROS, resetMicros);
  }

  long retryMicros() {
    return isTaken() ? 0 : stampOrRetry;
  }

  private boolean isTaken() {
    return (flags & TAKEN) != 0;
  }

  @Override
  public long permits() {
    return isTaken() ? terms.permits() : 0;
  }

  @Override
  public boolean refunded() {
    return refunded == GIVEN_BACK;
  }

  /** Returns whether the request took no permits, so that it was admitted whatever was left. */
  public boolean isFree() {
    return (flags & FREE) != 0;
  }

  /** Returns the permits that the request asked of the bucket, granted or not. */
  public long requested() {
    return isFree() ? 0 : terms.permits();
  }

  /** Returns another request of the same caller under the same limit, for 0 permits and more. */
  public PermitRequest again(long permits) {
    return new PermitRequest(policy(), key, permits, wholeLimit(), terms.used());
  }

  /**
   * Returns the same decision of a request for other permits, of several that were decided
   * together. It isn't refunded with this one.
   *
   * @param permits the permits that the request took, at least 0
   */
  public RequestDecision withPermits(long permits) {
    if (!isTaken() || permits == terms.permits()) {
      return this;
    }
    return permits == 0
        ? copy(terms, flags & ~TAKEN | FREE, 0)
        : copy(terms.withPermits(permits), flags, stampOrRetry);
  }

  RequestDecision retriedAfter(long micros) {
    return copy(terms, flags, micros);
  }

  private RequestDecision copy(RequestTerms own, int ownFlags, long ownStampOrRetry) {
    return new RequestDecision(
        own, key, outcome(), reason(), ownFlags, remaining, resetMicros, ownStampOrRetry);
  }

  /**
   * Returns the store's mark of the window that the permits were taken from; 0 if none were taken.
   */
  public long stamp() {
    return isTaken() ? stampOrRetry : 0;
  }

  @Override
  public List<Decision> parts() {
    return parts.isEmpty() ? List.of(this) : parts;
  }

  /** Returns whether it speaks for several policies, so that it has other parts than itself. */
  public boolean isCombined() {
    return !parts.isEmpty();
  }

  /**
   * Takes the permits out of this decision, so that they are given back only once; returns 0 from
   * the second call on.
   */
  public long takeBack() {
    return isTaken() && REFUNDED.compareAndSet(this, (byte) 0, GIVEN_BACK) ? terms.permits() : 0;
  }

  /**
   * Keeps the permits of this decision charged for good, so that they can't be given back any more;
   * returns 0 if they were given back or kept before.
   */
  public long keep() {
    return isTaken() && REFUNDED.compareAndSet(this, (byte) 0, KEPT) ? terms.permits() : 0;
  }

  /**
   * Returns the permits that the request asked for, at least 1; of several policies, those of the
   * closest.
   */
  public long cost() {
    return terms.permits();
  }

  @Override
  public String describe() {
    if (parts.isEmpty()) {
      return describeAlone();
    }
    return parts.stream()
        .map(Decision::describe)
        .collect(Collectors.joining("; ", outcome() + " by " + parts.size() + " policies: ", ""));
  }

  private String describeAlone() {
    return String.format(
        Locale.ROOT,
        "%s (%s) by %s: %d of %d left, took %d, reset after %s, retry %s%s",
        outcome(),
        reason(),
        policy().name(),
        remaining,
        limit(),
        permits(),
        DurationText.inWords(resetAfter()),
        reason() == Reason.COST_ABOVE_LIMIT || reason() == Reason.DENIED
            ? "never"
            : "after " + DurationText.inWords(retryAfter()),
        degraded() ? ", degraded" : "");
  }

  @Override
  public String toString() {
    return describe();
  }
}
