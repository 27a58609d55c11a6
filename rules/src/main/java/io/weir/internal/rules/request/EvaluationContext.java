package io.weir.internal.rules.request;

import io.weir.Policy;
import io.weir.internal.rules.callers.CallerProfile;
import io.weir.internal.rules.rulebook.EndpointRules;
import io.weir.internal.rules.rulebook.LimitedCaller;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.rules.SwitchState;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The question of one phase of a request, with all that was read of it; the request isn't read any
 * more. Immutable.
 *
 * @param phase before or after authentication
 * @param bound the policies of annotations and settings
 * @param given the caller's tier or limit from the application
 * @param fallback the caller's tier if neither application nor database has one
 * @param cost the request's cost by endpoint and method
 * @param now microseconds since the epoch
 * @param endpoint the endpoint's name in usage; empty if it isn't needed
 */
record EvaluationContext(
    Rulebook book,
    EndpointRules matched,
    DecisionPhase phase,
    List<Policy> bound,
    RequestCaller caller,
    CallerTier given,
    String fallback,
    long cost,
    long now,
    String endpoint) {

  /**
   * Determines tier and limits of the caller: by the application, else the database, else as sent.
   */
  LimitedCaller limited(CallerProfile profile) {
    String name = given.name().orElse(null);
    return new LimitedCaller(
        name == null ? profile.tier(now).orElse(fallback) : name,
        !given.isNone(),
        !given.isNone() && name == null,
        profile.ownLimits(now),
        profile.isEvaluated(now));
  }

  /** Returns the switch of a policy or rule; null if it has none. */
  @Nullable SwitchState switchOf(String name) {
    return book.hasSwitches() ? book.switchOf(name, now).orElse(null) : null;
  }

  boolean isBefore() {
    return phase == DecisionPhase.BEFORE_AUTHENTICATION;
  }
}
