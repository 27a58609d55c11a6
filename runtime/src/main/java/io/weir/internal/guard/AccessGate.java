package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.annotation.By;
import io.weir.internal.access.AccessFinding;
import io.weir.internal.ban.BanList;
import io.weir.internal.key.KeyReader;
import io.weir.internal.permits.RequestDecision;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests by the access list and by bans from the whole application, before any policy
 * does: by address, key and resolvers' values in the first phase, by user once it is known. What an
 * entry decides is a decision of a policy of its own, {@value #POLICY}. Stateless.
 */
public final class AccessGate {
  static final String POLICY = RequestDecision.ACCESS_LIST;

  private static final Policy ENFORCED =
      Policy.builder(POLICY).limit(1).window(Duration.ofSeconds(1)).by(By.ENDPOINT).build();

  private AccessGate() {}

  /**
   * Looks a request up. A denial or a ban is added to the history as a refusal; what else entries
   * do is measured, unless the request is only peeked at.
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
    if (services.access().areEmpty() && services.bans().list().isEmptyForApplication()) {
      return false;
    }
    AccessFinding before = history.access();
    AccessFinding found = find(services, request, history, phase);
    if (history.isMeasured()) {
      record(services, before, found);
    }
    return found.overrides();
  }

  /** Records all but denials and bans, which the history reports. */
  private static void record(RequestServices services, AccessFinding before, AccessFinding found) {
    if (found.wouldDeny() && !before.wouldDeny()) {
      services.limiter().record(decision(Outcome.SHADOW_REFUSED, Reason.DENIED));
    }
    if (found.wouldBan() && !before.wouldBan()) {
      services.limiter().record(decision(Outcome.SHADOW_REFUSED, Reason.BANNED));
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
    refusal(services, found).ifPresent(services.limiter()::record);
    return found;
  }

  /**
   * Returns what the access list says of a request after its sign-in; measures nothing.
   *
   * @throws io.weir.InvalidRequestException if its key is malformed
   */
  public static AccessFinding peek(RequestServices services, RequestInfo request) {
    return find(services, request, null, AccessFinding.UNREAD);
  }

  private static AccessFinding find(
      RequestServices services,
      RequestInfo request,
      DecisionHistory history,
      @Nullable DecisionPhase phase) {
    AccessFinding found = find(services, request, phase, history.access());
    history.setAccess(found);
    refusal(services, found).ifPresent(history::refuse);
    return found;
  }

  private static AccessFinding find(
      RequestServices services,
      RequestInfo request,
      @Nullable DecisionPhase phase,
      AccessFinding before) {
    boolean isUserKnown = phase != DecisionPhase.BEFORE_AUTHENTICATION;
    AccessFinding found =
        services.access().find(request, services.options().addresses(), isUserKnown, before);
    BanList bans = services.bans().list();
    if (bans.isEmptyForApplication() || found.denies() || found.allows()) {
      return found;
    }
    return services
        .address(request)
        .flatMap(address -> bans.ofApplication(Key.address(address)))
        .or(
            () ->
                isUserKnown
                    ? request
                        .user()
                        .flatMap(name -> bans.ofApplication(KeyReader.userKey(name, request)))
                    : Optional.empty())
        .map(found::bannedBy)
        .orElse(found);
  }

  /** Returns whether an access list has made a decision, so that no bucket was counted. */
  public static boolean isOfList(Decision decision) {
    return decision.policy().name().equals(POLICY);
  }

  private static Optional<Decision> refusal(RequestServices services, AccessFinding found) {
    if (found.denies()) {
      return Optional.of(decision(Outcome.REFUSED, Reason.DENIED));
    }
    return found
        .ban()
        .filter(ban -> !ban.isShadow())
        .map(
            ban -> {
              long retry = BanGate.micros(services, ban);
              return RequestDecision.builder(ENFORCED, Key.everybody())
                  .outcome(Outcome.REFUSED, Reason.BANNED)
                  .after(retry, retry)
                  .build();
            });
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
