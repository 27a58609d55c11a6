package io.weir.internal.guard;

import io.weir.BanTerms;
import io.weir.Decision;
import io.weir.Outcome;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.access.AccessEntry;
import io.weir.internal.ban.Bans;
import io.weir.internal.ban.WatchedCaller;
import io.weir.internal.extension.SafeCalls;
import io.weir.spi.RequestInfo;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Refuses the requests of callers that a policy has banned from its endpoints, and notes which
 * requests may be strikes. Bans from the whole application are found by the {@link AccessGate}.
 * Stateless.
 */
final class BanGate {
  private static final SafeCalls CALLS =
      new SafeCalls(
          System.getLogger(BanGate.class.getName()), "strikes can't be counted; no ban is made");

  private BanGate() {}

  /**
   * Looks up whether the policy has banned the caller; if so, its refusal is added to the history.
   * Watches the request otherwise.
   *
   * @param bound the policy, or the one that is replaced
   * @param wanted what would be asked of the limiter
   */
  static boolean refuses(
      RequestServices services,
      RequestInfo request,
      DecisionHistory history,
      Policy bound,
      PermitRequest wanted) {
    Optional<BanTerms> terms = bound.ban();
    if (terms.isEmpty() || history.access().allows()) {
      return false;
    }
    WatchedCaller caller =
        new WatchedCaller(
            bound.name(),
            terms.get(),
            wanted.policy().shadow(),
            wanted.key(),
            services.options().addresses().isPerhapsShared(request));
    boolean isNew = !isFreeOfCredentials(request) && history.watch(caller);
    Optional<AccessEntry> found =
        caller.isOfApplication() ? Optional.empty() : services.bans().of(caller);
    if (found.isEmpty()) {
      return false;
    }
    AccessEntry ban = found.get();
    Policy policy = ban.isShadow() ? wanted.policy().inShadow() : wanted.policy();
    Decision refusal = refusal(services, ban, wanted, policy);
    if (policy.shadow() && !wanted.policy().shadow()) { // made when the policy was in shadow mode
      if (isNew && history.isMeasured()) {
        services.limiter().record(refusal);
      }
      return false;
    }
    history.refuse(refusal);
    return true;
  }

  /**
   * Returns whether nothing can be guessed by a request, as by a browser's preflight: frameworks
   * answer it. By any other {@code OPTIONS} passwords can be tried where a filter checks them.
   */
  private static boolean isFreeOfCredentials(RequestInfo request) {
    return request.method().equals("OPTIONS")
        && request.mayBeLeftOut()
        && request.headers("Cookie").isEmpty();
  }

  private static Decision refusal(
      RequestServices services, AccessEntry ban, PermitRequest wanted, Policy policy) {
    long retry = micros(services, ban);
    return services
        .limiter()
        .unasked(policy, wanted)
        .outcome(policy.shadow() ? Outcome.SHADOW_REFUSED : Outcome.REFUSED, Reason.BANNED)
        .after(retry, retry)
        .build();
  }

  /** Returns the time until the end of a ban, in microseconds, at least one. */
  static long micros(RequestServices services, AccessEntry ban) {
    long end = ChronoUnit.MICROS.between(Instant.EPOCH, ban.end().orElseThrow());
    return Math.max(1, end - services.ticker().epochMicros());
  }

  /** Counts the refusals of a request that are strikes. */
  static void decided(
      RequestServices services, RequestInfo request, DecisionHistory history, Decision decision) {
    if (!history.watched().isEmpty()) {
      CALLS.run(() -> count(services, request, history, decision));
    }
  }

  private static void count(
      RequestServices services, RequestInfo request, DecisionHistory history, Decision decision) {
    for (Decision part : decision.parts()) {
      if (part.reason() == Reason.QUOTA_EXCEEDED) {
        history.watched().stream()
            .filter(each -> isOf(each, part))
            .findFirst()
            .filter(caller -> history.isFirstRefusal(caller.policy()))
            .ifPresent(
                caller ->
                    services
                        .bans()
                        .refused(caller, () -> who(services, request), part.retryAfter()));
      }
    }
  }

  private static boolean isOf(WatchedCaller caller, Decision part) {
    return caller.policy().equals(part.policy().name()) && caller.key().equals(part.key());
  }

  /** Distinguishes the callers behind one address as well as a request does. */
  private static String who(RequestServices services, RequestInfo request) {
    return request
        .user()
        .map(name -> "user " + name)
        .or(() -> services.access().keyOf(request).map(digest -> "key " + digest))
        .orElseGet(() -> "agent " + String.join(",", request.headers("User-Agent")));
  }

  /** Counts the status of the application's response, if it is a strike. */
  static void answered(RequestServices services, DecisionHistory history, int status) {
    List<WatchedCaller> watched = history.watched();
    if (!watched.isEmpty()) {
      Bans bans = services.bans();
      CALLS.run(() -> watched.forEach(each -> bans.answered(each, status)));
    }
  }
}
