package io.weir.internal.rules.request;

import io.weir.Policy;
import io.weir.internal.rules.anomalies.EnforcedAnomalies;
import io.weir.internal.rules.callers.CallerId;
import io.weir.internal.rules.callers.CallerProfile;
import io.weir.internal.rules.rulebook.EndpointRules;
import io.weir.internal.rules.rulebook.EpochMicros;
import io.weir.rules.Rule;
import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.anomaly.AnomalyAction;
import io.weir.rules.explanation.Explanation.Part;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Halves the limits of callers with unusual usage of an endpoint, or refuses them. As long as there
 * are none, this costs one read. Safe for concurrent use.
 */
final class AnomalyEnforcer {
  private final EnforcedAnomalies current;

  AnomalyEnforcer(EnforcedAnomalies current) {
    this.current = current;
  }

  /**
   * Returns the name of a request's endpoint in usage, if it is needed.
   *
   * @return empty if there are no anomalies, or the endpoint has only policies
   */
  String endpoint(RequestInfo request, EndpointRules matched) {
    if (current.isEmpty()) {
      return "";
    }
    String mapping = request.mapping();
    return !mapping.isEmpty() ? mapping : matched.isEmpty() ? "" : matched.pattern();
  }

  /**
   * Finds the strongest action against the caller of a request.
   *
   * @param endpoint the endpoint's name in usage; empty to compare its policies
   * @return null if there is none
   */
  @Nullable Anomaly find(EvaluationContext asked, CallerProfile profile, String endpoint) {
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

  private static boolean isAt(Anomaly anomaly, String endpoint, EvaluationContext asked) {
    return endpoint.isEmpty()
        ? asked.bound().stream()
            .anyMatch(each -> anomaly.endpoint().equals(Rule.POLICY + each.name()))
        : anomaly.endpoint().equals(endpoint);
  }

  /**
   * Applies the action.
   *
   * @param all the policies of the request; missing annotated ones apply as they are
   * @param read determines which policies count the caller
   */
  static void act(
      List<AppliedPolicy> all, EvaluationContext asked, Anomaly anomaly, RuleRequestReader read) {
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

  /** Quotas aren't halved: a caller that has paid for a month isn't shut out for the rest of it. */
  private static boolean isHalved(Policy policy, RuleRequestReader read) {
    return read.countsCaller(policy) && !policy.spec().isOfPeriod();
  }

  /**
   * Adds the action to an explanation.
   *
   * @param parts the limits of the request, in force or not
   * @param policies the policies in force, by name
   */
  static List<Part> explain(
      List<Part> parts, Map<String, Policy> policies, Anomaly anomaly, RuleRequestReader read) {
    List<Part> explained = new ArrayList<>();
    for (Part each : parts) {
      Policy policy = policies.get(each.policy());
      if (!each.holds() || each.limit() == 0 || policy == null) {
        explained.add(each);
      } else if (anomaly.action() == AnomalyAction.BLOCK) {
        explained.add(with(each, each.limit(), "; refuses until ", anomaly));
      } else if (isHalved(policy, read)) {
        explained.add(with(each, Math.max(1, each.limit() / 2), "; half of it until ", anomaly));
      } else {
        explained.add(each);
      }
    }
    return explained;
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
