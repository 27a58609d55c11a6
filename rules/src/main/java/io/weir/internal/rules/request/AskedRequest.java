package io.weir.internal.rules.request;

import io.weir.Policy;
import io.weir.internal.rules.callers.CallerProfile;
import io.weir.internal.rules.rulebook.MatchedRules;
import io.weir.internal.rules.rulebook.OwnLimits;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import java.util.List;

/**
 * What is asked for one phase of a request, and what was read of it; the request itself isn't read
 * any more. Immutable.
 *
 * @param book the rules of now
 * @param matched those that match
 * @param phase before or after authentication
 * @param bound the policies of annotations and settings
 * @param caller who calls
 * @param given what the application says of its tier
 * @param fallback its tier where nobody else knows one
 * @param cost what the request costs by endpoint and method
 * @param now microseconds since the epoch
 * @param endpoint what usage calls the endpoint; empty if that doesn't matter now
 */
record AskedRequest(
    Rulebook book,
    MatchedRules matched,
    DecisionPhase phase,
    List<Policy> bound,
    RequestCaller caller,
    CallerTier given,
    String fallback,
    long cost,
    long now,
    String endpoint) {

  /** A caller as it is known for one request. */
  record KnownCaller(String tier, boolean isTierGiven, OwnLimits own, boolean isEvaluated) {}

  /** The application's word goes before the database's, and that before what is sent. */
  KnownCaller known(CallerProfile profile) {
    String name = given.name().orElse(null);
    return new KnownCaller(
        name == null ? profile.tier(now).orElse(fallback) : name,
        !given.isNone(),
        profile.ownLimits(now),
        profile.isEvaluated(now));
  }

  /** Whether the application gave this caller a limit of its own, which goes before all others. */
  boolean isLimitGiven() {
    return !given.isNone() && given.name().isEmpty();
  }

  boolean isBefore() {
    return phase == DecisionPhase.BEFORE_AUTHENTICATION;
  }
}
