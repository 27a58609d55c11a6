package io.weir.internal.rules.request;

import io.weir.Policy;
import io.weir.internal.rules.anomalies.CurrentAnomalies;
import io.weir.internal.rules.callers.CallerId;
import io.weir.internal.rules.callers.CallerProfile;
import io.weir.internal.rules.rulebook.MatchedRules;
import io.weir.internal.rules.rulebook.EpochMicros;
import io.weir.rules.Anomaly;
import io.weir.rules.AnomalyAction;
import io.weir.rules.Explanation.Part;
import io.weir.rules.Rule;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Slows callers down, or refuses them, whose usage of an endpoint is unusual. As long as there are
 * none, that costs one read. Safe for concurrent use.
 */
final class UnusualCallers {
  private final CurrentAnomalies current;

  UnusualCallers(CurrentAnomalies current) {
    this.current = current;
  }

  /**
   * What usage calls the endpoint of a request, if that matters now.
   *
   * @return empty if nothing is done about anybody, or nothing but policies is at the endpoint
   */
  String endpoint(RequestInfo request, MatchedRules matched) {
    if (current.isEmpty()) {
      return "";
    }
    String mapping = request.mapping();
    return !mapping.isEmpty() ? mapping : matched.isEmpty() ? "" : matched.pattern();
  }

  /**
   * What is done about the caller of a request.
   *
   * @param endpoint what usage calls the endpoint; empty: by its policies
   * @return null if nothing is
   */
  @Nullable Anomaly find(AskedRequest asked, CallerProfile profile, String endpoint) {
    Optional<CallerId> row = asked.caller().row();
    if (current.isEmpty() || row.isEmpty() || profile.isEvaluated(asked.now())) {
      return null;
    }
    boolean hasUsage = asked.caller().isUser() || profile.hasRow();
    Anomaly strongest = null;
    for (Anomaly each : hasUsage ? current.of(row.get().rowKey()) : List.<Anomaly>of()) {
      boolean holds = asked.now() < EpochMicros.of(each.until()) && isAt(each, endpoint, asked);
      if (holds && (strongest == null || each.action().compareTo(strongest.action()) > 0)) {
        strongest = each;
      }
    }
    return strongest;
  }

  private static boolean isAt(Anomaly anomaly, String endpoint, AskedRequest asked) {
    return endpoint.isEmpty()
        ? asked.bound().stream()
            .anyMatch(each -> anomaly.endpoint().equals(Rule.POLICY + each.name()))
        : anomaly.endpoint().equals(endpoint);
  }

  /**
   * Does what is to be done.
   *
   * @param all what holds for the request; annotated policies that aren't there hold as they are
   * @param anomaly what was found
   * @param read knows whom policies count
   */
  static void act(List<AppliedPolicy> all, AskedRequest asked, Anomaly anomaly, RuleRequestReader read) {
    for (Policy bound : asked.bound()) {
      if (all.stream().noneMatch(each -> each.policy().name().equals(bound.name()))) {
        all.add(AppliedPolicy.of(bound));
      }
    }
    for (int i = 0; i < all.size(); i++) {
      AppliedPolicy each = all.get(i);
      if (each.isOff()) {
        continue;
      }
      if (anomaly.action() == AnomalyAction.BLOCK) {
        all.set(i, AppliedPolicy.blocked(each.policy(), anomaly.until()));
      } else if (isHalved(each.policy(), read)) {
        all.set(i, each.withHalfLimit());
      }
    }
  }

  /** Quotas stay: who has paid for a month isn't shut out for the rest of it. */
  private static boolean isHalved(Policy policy, RuleRequestReader read) {
    return read.countsCaller(policy) && !policy.spec().isOfPeriod();
  }

  /**
   * The same for people.
   *
   * @param parts what holds for the request, and what doesn't
   * @param policies those that hold, by name
   */
  static List<Part> explain(
      List<Part> parts, Map<String, Policy> policies, Anomaly anomaly, RuleRequestReader read) {
    List<Part> told = new ArrayList<>();
    for (Part each : parts) {
      Policy policy = policies.get(each.policy());
      if (!each.holds() || each.limit() == 0 || policy == null) {
        told.add(each);
      } else if (anomaly.action() == AnomalyAction.BLOCK) {
        told.add(with(each, each.limit(), "; refuses until ", anomaly));
      } else if (isHalved(policy, read)) {
        told.add(with(each, Math.max(1, each.limit() / 2), "; half of it until ", anomaly));
      } else {
        told.add(each);
      }
    }
    return told;
  }

  private static Part with(Part part, long limit, String what, Anomaly anomaly) {
    return new Part(
        part.policy(),
        true,
        limit,
        part.window(),
        part.source(),
        part.reason() + what + anomaly.until() + ": " + anomaly.reason());
  }
}
