package io.weir.internal.http;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.internal.permits.RequestDecision;
import io.weir.spi.RefusalInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Holds everything that the response to a refused request depends on. Requests with equal details
 * get the same response.
 *
 * <p>Immutable.
 */
final class RefusalDetails implements RefusalInfo {
  private final Policy policy;
  private final long limit;
  private final long atOnce;
  private final long refill;
  private final Reason reason;
  private final boolean oneEach;
  private final long retryAfterSeconds;
  private final List<Locale.LanguageRange> languages;

  /** The following three are only in header fields; 0 in the details of a body. */
  private final long remaining;

  private final long resetSeconds;
  private final long resetEpochSeconds;

  /** The policies that decided, if there are several; else empty. */
  private final List<Part> parts;

  /** Not a record, whose hash code Java would generate when the first request is refused. */
  private static final class Part {
    private final Policy policy;
    private final long limit;
    private final boolean refused;

    Part(Decision part) {
      this.policy = part.policy();
      this.limit = part.limit();
      this.refused = part.outcome() == Outcome.REFUSED;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Part that
          && limit == that.limit
          && refused == that.refused
          && policy.equals(that.policy);
    }

    @Override
    public int hashCode() {
      return policy.name().hashCode() * 31 + Boolean.hashCode(refused);
    }
  }

  private RefusalDetails(
      RefusalDetails like, long remaining, long resetSeconds, long resetEpochSeconds) {
    this.policy = like.policy;
    this.limit = like.limit;
    this.atOnce = like.atOnce;
    this.refill = like.refill;
    this.reason = like.reason;
    this.oneEach = like.oneEach;
    this.retryAfterSeconds = like.retryAfterSeconds;
    this.languages = like.languages;
    this.parts = like.parts;
    this.remaining = remaining;
    this.resetSeconds = resetSeconds;
    this.resetEpochSeconds = resetEpochSeconds;
  }

  /**
   * Collects the details of a refusal.
   *
   * @param languages the languages that the caller accepts; empty if the body doesn't depend on
   *     them
   * @throws IllegalArgumentException if the request was admitted
   */
  RefusalDetails(Decision decision, CallerQuota caller, List<Locale.LanguageRange> languages) {
    this.policy = decision.policy();
    this.limit = decision.limit();
    this.atOnce = RequestDecision.cast(decision).atOnce();
    this.refill = RequestDecision.cast(decision).refill();
    this.reason = decision.reason();
    this.oneEach = isOneEach(decision);
    this.languages = languages;
    List<Decision> all = decision.parts();
    this.retryAfterSeconds = retryAfter(all);
    this.remaining = caller.remaining();
    this.resetSeconds = caller.resetSeconds();
    this.resetEpochSeconds = caller.resetEpochSeconds();
    this.parts = all.size() == 1 ? List.of() : parts(all);
  }

  /** Returns whether the request and all others without a cost of their own take one permit. */
  private static boolean isOneEach(Decision decision) {
    Policy policy = decision.policy();
    return policy.cost() == 1
        && policy.costFrom().isEmpty()
        && RequestDecision.cast(decision).cost() == 1;
  }

  /** Ignores policies in shadow mode: they make no caller wait. 0 if waiting doesn't help. */
  private static long retryAfter(List<Decision> parts) {
    long longest = -1;
    for (int i = 0; i < parts.size(); i++) { // no iterator for each refusal
      Decision part = parts.get(i);
      if (part.neverAdmitted()) {
        return 0;
      }
      if (part.outcome() == Outcome.REFUSED) {
        longest = Math.max(longest, WholeSeconds.roundUp(part.retryAfter()));
      }
    }
    if (longest < 0) {
      throw new IllegalArgumentException("the request was admitted: " + parts);
    }
    return Math.max(1, longest);
  }

  private static List<Part> parts(List<Decision> all) {
    List<Part> parts = new ArrayList<>(all.size());
    for (Decision each : all) {
      parts.add(new Part(each));
    }
    return parts;
  }

  /** Returns whether a refusal has just these details. */
  boolean describe(Decision decision, CallerQuota caller, List<Locale.LanguageRange> accepted) {
    List<Decision> all = decision.parts();
    return resetEpochSeconds == caller.resetEpochSeconds()
        && resetSeconds == caller.resetSeconds()
        && remaining == caller.remaining()
        && limit == decision.limit()
        && atOnce == RequestDecision.cast(decision).atOnce()
        && refill == RequestDecision.cast(decision).refill()
        && reason == decision.reason()
        && oneEach == isOneEach(decision)
        && policy.equals(decision.policy())
        && retryAfterSeconds == retryAfter(all)
        && languages.equals(accepted)
        && parts.equals(all.size() == 1 ? List.of() : parts(all));
  }

  /** Returns the details that the body depends on, the same for all refusals with this body. */
  RefusalDetails ofBody() {
    return new RefusalDetails(this, 0, 0, 0);
  }

  @Override
  public Policy policy() {
    return policy;
  }

  @Override
  public List<Policy> policies() {
    if (parts.isEmpty()) {
      return List.of(policy);
    }
    return parts.stream().filter(each -> each.refused).map(each -> each.policy).toList();
  }

  @Override
  public long limit() {
    return limit;
  }

  /** Returns the permits at once within the limit. */
  long atOnce() {
    return atOnce;
  }

  /** Returns the permits that come back at once within the limit; 0 without a refill. */
  long refill() {
    return refill;
  }

  @Override
  public Reason reason() {
    return reason;
  }

  /** Returns whether a request takes one permit, so that the limit is one of requests. */
  boolean isOneEach() {
    return oneEach;
  }

  @Override
  public int status() {
    return switch (reason) {
      case WITHIN_LIMIT, QUOTA_EXCEEDED, ABNORMAL_USAGE, COST_ABOVE_LIMIT, BANNED -> 429;
      case REDUCED_CAPACITY, STORE_UNAVAILABLE -> 503;
      case DENIED -> 403;
    };
  }

  @Override
  public long retryAfterSeconds() {
    return retryAfterSeconds;
  }

  @Override
  public List<Locale.LanguageRange> languages() {
    return languages;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RefusalDetails that
        && retryAfterSeconds == that.retryAfterSeconds
        && resetEpochSeconds == that.resetEpochSeconds
        && resetSeconds == that.resetSeconds
        && remaining == that.remaining
        && limit == that.limit
        && atOnce == that.atOnce
        && refill == that.refill
        && reason == that.reason
        && oneEach == that.oneEach
        && policy.equals(that.policy)
        && languages.equals(that.languages)
        && parts.equals(that.parts);
  }

  @Override
  public int hashCode() {
    int hash = policy.name().hashCode();
    hash = hash * 31 + Long.hashCode(retryAfterSeconds);
    hash = hash * 31 + Long.hashCode(resetEpochSeconds);
    hash = hash * 31 + Long.hashCode(limit);
    return hash * 31 + languages.hashCode();
  }
}
