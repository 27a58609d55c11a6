package io.weir;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The answer for one request: whether it is admitted, what is left, and when to come back.
 *
 * <p>A request that was decided by several policies has a {@linkplain #parts() part} for each; the
 * decision itself then speaks for the closest of them: the one that refused for longest, else the
 * one with the smallest share left. Policies that only watch (shadow) speak only among themselves.
 *
 * <p>Safe for concurrent use; only whether it was given back ever changes.
 */
public final class Decision {
  private static final Outcome[] OUTCOMES = Outcome.values();
  private static final Reason[] REASONS = Reason.values();
  // Durations are counted in nanoseconds, so more microseconds than these can't be said.
  private static final long LONGEST = Long.MAX_VALUE / 1_000;
  private static final int TAKEN = 1;
  private static final int DEGRADED = 2;
  private static final VarHandle GIVEN_BACK = givenBackField();

  // One is made for each request, so all of it fits into 48 bytes: what requests have in common is
  // in the offer, what says little takes a byte, and what is never said together shares a field.
  private final Offer offer;
  private final Key key;
  private final int remaining;
  private final byte outcome;
  private final byte reason;
  private final byte flags;

  @SuppressWarnings("UnusedVariable") // read and written through GIVEN_BACK
  private volatile byte givenBack;

  private final long resetMicros;

  /** The stamp of the grant if permits were taken, else the microseconds until they are there. */
  private final long stampOrRetry;

  private final List<Decision> parts;

  Decision(
      Offer offer,
      Key key,
      Outcome outcome,
      Reason reason,
      boolean taken,
      boolean degraded,
      long remaining,
      long resetMicros,
      long stampOrRetry) {
    this.offer = offer;
    this.key = key;
    this.remaining = (int) Math.min(Integer.MAX_VALUE, remaining);
    this.outcome = place(outcome);
    this.reason = place(reason);
    this.flags = flags(taken, degraded);
    this.resetMicros = resetMicros;
    this.stampOrRetry = stampOrRetry;
    this.parts = List.of();
  }

  private Decision(Decision closest, List<Decision> parts) {
    this.offer = closest.offer;
    this.key = closest.key;
    this.remaining = closest.remaining;
    this.outcome = closest.outcome;
    this.reason = closest.reason;
    this.flags = flags(false, anyDegraded(parts));
    this.resetMicros = closest.resetMicros;
    // The longest of those that refused, since it is the closest.
    this.stampOrRetry = closest.retryMicros();
    this.parts = parts;
  }

  @SuppressWarnings("EnumOrdinal") // a byte where a reference takes four; it never leaves here
  private static byte place(Enum<?> value) {
    return (byte) value.ordinal();
  }

  private static byte flags(boolean taken, boolean degraded) {
    return (byte) ((taken ? TAKEN : 0) | (degraded ? DEGRADED : 0));
  }

  private static VarHandle givenBackField() {
    try {
      return MethodHandles.lookup().findVarHandle(Decision.class, "givenBack", byte.class);
    } catch (ReflectiveOperationException mistake) {
      throw new ExceptionInInitializerError(mistake);
    }
  }

  /**
   * Starts the decision of one policy; for those who write an engine or test what reads decisions.
   *
   * @param policy the policy that decided
   * @param key whom it counted
   * @return a builder of an admission with nothing left
   */
  public static DecisionBuilder builder(Policy policy, Key key) {
    return new DecisionBuilder(policy, key);
  }

  /**
   * Puts the decisions of several policies about one request together.
   *
   * @param decisions at least one; those with parts count as their parts
   * @return their only one, or one that speaks for all
   * @throws IllegalArgumentException if there is none
   */
  public static Decision of(List<Decision> decisions) {
    List<Decision> parts = new ArrayList<>(decisions.size());
    for (Decision each : decisions) {
      parts.addAll(each.parts());
    }
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a decision has at least one part");
    }
    return parts.size() == 1
        ? parts.get(0)
        : new Decision(closest(parts), Collections.unmodifiableList(parts));
  }

  private static Decision closest(List<Decision> parts) {
    Decision closest = parts.get(0);
    for (Decision part : parts) {
      closest = part.compareCloseness(closest) > 0 ? part : closest;
    }
    return closest;
  }

  private int compareCloseness(Decision other) {
    // What only watches must not hide what the others say.
    if (policy().shadow() != other.policy().shadow()) {
      return other.policy().shadow() ? 1 : -1;
    }
    if (outcome != other.outcome) {
      return Byte.compare(outcome, other.outcome);
    }
    int later = Long.compare(retryMicros(), other.retryMicros());
    return later != 0 ? later : Double.compare(other.share(), share());
  }

  private double share() {
    return (double) remaining / limit();
  }

  private static boolean anyDegraded(List<Decision> parts) {
    for (Decision part : parts) {
      if (part.degraded()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the request may go on.
   *
   * @return false if a policy refused
   */
  public boolean admitted() {
    return outcome().admitted();
  }

  /**
   * What became of the request.
   *
   * @return the outcome of the closest policy
   */
  public Outcome outcome() {
    return OUTCOMES[outcome];
  }

  /**
   * Why.
   *
   * @return the reason of the closest policy
   */
  public Reason reason() {
    return REASONS[reason];
  }

  /**
   * Whether it was decided without the store, because that can't be reached.
   *
   * @return true if any part was
   */
  public boolean degraded() {
    return (flags & DEGRADED) != 0;
  }

  /**
   * The policy that decided.
   *
   * @return the closest one
   */
  public Policy policy() {
    return offer.policy();
  }

  /**
   * Whom it counted.
   *
   * @return the key of the closest policy
   */
  public Key key() {
    return key;
  }

  /**
   * The limit in force for this caller: the policy's, or its tier's.
   *
   * @return permits per window, 1 and more
   */
  public long limit() {
    return offer.limit();
  }

  /**
   * What the caller may still take now, up to the limit.
   *
   * @return permits, 0 and more
   */
  public long remaining() {
    return remaining;
  }

  /**
   * How long until more than {@link #remaining()} permits are there, if nobody takes any: the end
   * of a fixed window, the next permit of a bucket.
   *
   * @return zero if the bucket is full
   */
  public Duration resetAfter() {
    return micros(resetMicros);
  }

  /**
   * How long until the same request, alone, is admitted.
   *
   * @return zero unless refused; of several policies that refused the longest. Where all policies
   *     only watch, what they would have said
   */
  public Duration retryAfter() {
    return micros(retryMicros());
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(Math.min(LONGEST, micros) * 1_000);
  }

  private long retryMicros() {
    return taken() ? 0 : stampOrRetry;
  }

  private boolean taken() {
    return (flags & TAKEN) != 0;
  }

  /**
   * How many permits the request took from the bucket.
   *
   * @return 0 if it was refused or has parts
   */
  public long permits() {
    return taken() ? offer.permits() : 0;
  }

  /**
   * The store's mark of the window that the permits were taken from; opaque to everyone else.
   *
   * @return the grant's stamp; 0 if none were taken
   */
  public long stamp() {
    return taken() ? stampOrRetry : 0;
  }

  /**
   * The decision of each policy.
   *
   * @return in the order asked; this one alone if a single policy decided
   */
  public List<Decision> parts() {
    return parts.isEmpty() ? List.of(this) : parts;
  }

  /**
   * Takes the permits out of this decision so that they can be given back; for engines. Users call
   * {@link RateLimiter#refund(Decision)}.
   *
   * @return what it took from its bucket the first time, 0 ever after
   */
  public long giveBack() {
    return taken() && GIVEN_BACK.compareAndSet(this, (byte) 0, (byte) 1) ? offer.permits() : 0;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%s by %s: %d of %d left, reset after %s, retry after %s%s",
        outcome(),
        policy().name(),
        remaining,
        limit(),
        resetAfter(),
        retryAfter(),
        degraded() ? ", degraded" : "");
  }
}
