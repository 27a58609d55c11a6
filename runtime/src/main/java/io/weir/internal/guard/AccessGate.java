package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.annotation.By;
import io.weir.internal.access.AccessFinding;
import io.weir.internal.permits.RequestDecision;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests by the access list, before any policy does: by address, key and resolvers'
 * values in the first phase, by user once it is known. What an entry decides is a decision of a
 * policy of its own, {@value #POLICY}. Stateless.
 */
public final class AccessGate {
  static final String POLICY = "access-list";

  private static final Policy ENFORCED =
      Policy.builder(POLICY).limit(1).window(Duration.ofSeconds(1)).by(By.ENDPOINT).build();

  private AccessGate() {}

  /**
   * Looks a request up. A denial is added to the history as a refusal.
   *
   * @param phase the phase that is decided; null if both are decided at once
   * @return whether no policy decides it in this phase
   * @throws io.weir.InvalidRequestException if its key is malformed
   */
  static boolean overrides(
      RequestServices services,
      RequestInfo request,
      DecisionHistory history,
      @Nullable DecisionPhase phase) {
    if (services.access().areEmpty()) {
      return false;
    }
    AccessFinding before = history.access();
    AccessFinding found = find(services, request, history, phase);
    record(services, before, found);
    return found.overrides();
  }

  /** Records all but a denial, which the history reports. */
  private static void record(RequestServices services, AccessFinding before, AccessFinding found) {
    if (found.wouldDeny() && !before.wouldDeny()) {
      services.limiter().record(decision(Outcome.SHADOW_REFUSED, Reason.DENIED));
    }
    if (found.allows() && !before.allows()) {
      services.limiter().record(decision(Outcome.ADMITTED, Reason.WITHIN_LIMIT));
    }
    services.access().log(before, found);
  }

  /**
   * Decides a request by the access list alone, and measures that.
   *
   * @throws io.weir.InvalidRequestException if its key is malformed
   */
  public static AccessFinding decide(RequestServices services, RequestInfo request) {
    AccessFinding found = peek(services, request);
    record(services, AccessFinding.UNREAD, found);
    if (found.denies()) {
      services.limiter().record(decision(Outcome.REFUSED, Reason.DENIED));
    }
    return found;
  }

  /**
   * Returns what the access list says of a request after its sign-in; measures nothing.
   *
   * @throws io.weir.InvalidRequestException if its key is malformed
   */
  public static AccessFinding peek(RequestServices services, RequestInfo request) {
    return services
        .access()
        .find(request, services.options().addresses(), true, AccessFinding.UNREAD);
  }

  /** Does the same for a request that somebody asks about, without measuring anything. */
  static boolean overridesAsked(
      RequestServices services,
      RequestInfo request,
      DecisionHistory history,
      @Nullable DecisionPhase phase) {
    return find(services, request, history, phase).overrides();
  }

  private static AccessFinding find(
      RequestServices services,
      RequestInfo request,
      DecisionHistory history,
      @Nullable DecisionPhase phase) {
    AccessFinding found =
        services
            .access()
            .find(
                request,
                services.options().addresses(),
                phase != DecisionPhase.BEFORE_AUTHENTICATION,
                history.access());
    history.setAccess(found);
    if (found.denies()) {
      history.refuse(decision(Outcome.REFUSED, Reason.DENIED));
    }
    return found;
  }

  private static Decision decision(Outcome outcome, Reason reason) {
    long retry = outcome == Outcome.ADMITTED ? 0 : RequestDecision.NEVER;
    return RequestDecision.builder(
            outcome == Outcome.SHADOW_REFUSED ? ENFORCED.inShadow() : ENFORCED, Key.everybody())
        .outcome(outcome, reason)
        .after(0, retry)
        .free(outcome == Outcome.ADMITTED)
        .build();
  }
}
