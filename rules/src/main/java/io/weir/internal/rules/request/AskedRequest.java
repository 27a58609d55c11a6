package io.weir.internal.rules.request;

import io.weir.Policy;
import io.weir.internal.rules.callers.CallerProfile;
import io.weir.internal.rules.rulebook.MatchedRules;
import io.weir.internal.rules.rulebook.LimitedCaller;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.rules.SwitchState;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** Determines tier and limits of the caller: by the application, else the database, else as sent. */
  LimitedCaller limited(CallerProfile profile) {
    String name = given.name().orElse(null);
    return new LimitedCaller(
        name == null ? profile.tier(now).orElse(fallback) : name,
        !given.isNone(),
        !given.isNone() && name == null,
        profile.ownLimits(now),
        profile.isEvaluated(now));
  }

  /** The switch of a policy or rule; null if it has none. */
  @Nullable SwitchState switchOf(String name) {
    return book.hasSwitches() ? book.switchOf(name, now).orElse(null) : null;
  }

  boolean isBefore() {
    return phase == DecisionPhase.BEFORE_AUTHENTICATION;
  }
}
