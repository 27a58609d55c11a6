package io.weir.internal.policy.draft;

import io.weir.PolicyMistake;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.internal.settings.PolicyMembers;
import io.weir.store.BucketSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells what is wrong with a policy that somebody wrote: what {@link io.weir.PolicyBuilder} finds,
 * and what depends on the place or can only be written in an annotation.
 *
 * <p>Confine to one thread: collects the mistakes of one policy.
 */
public final class PolicyChecks {
  private final PolicyDraft draft;
  private final String place;
  private final List<String> mistakes = new ArrayList<>();

  private PolicyChecks(PolicyDraft draft, String place) {
    this.draft = draft;
    this.place = place;
  }

  /**
   * All mistakes of a policy.
   *
   * @param draft the policy
   * @param place where it was written, for the messages
   * @param scope what it can make use of there
   * @return lines of place, member, value and rule
   */
  public static List<String> mistakes(PolicyDraft draft, String place, EndpointCapabilities scope) {
    PolicyChecks checks = new PolicyChecks(draft, place);
    checks.members();
    checks.tiers();
    checks.by();
    checks.keys(scope);
    checks.request(scope);
    checks.algorithm(scope);
    return checks.mistakes;
  }

  private void members() {
    draft.builder().mistakes().forEach(this::wrong);
  }

  private void tiers() {
    Set<String> seen = new HashSet<>();
    for (Map.Entry<String, Long> tier : draft.tiers) {
      if (!seen.add(tier.getKey())) {
        wrong("tiers", tier.getKey(), "each tier must be there once");
      }
    }
  }

  private void by() {
    List<By> by = draft.get(PolicyMembers.BY);
    if (new HashSet<>(by).size() < by.size()) {
      wrong("by", by, "must name each once");
    }
    if (by.contains(By.ENDPOINT) && by.stream().anyMatch(each -> each != By.ENDPOINT)) {
      wrong("by", by, "ENDPOINT counts everybody together and must be alone");
    }
  }

  private void keys(EndpointCapabilities scope) {
    List<String> keys = draft.get(PolicyMembers.KEY);
    boolean read = draft.get(PolicyMembers.BY).contains(By.KEY);
    if (read && keys.isEmpty()) {
      wrong("key", keys, "must say what by = KEY reads");
    } else if (!read && !keys.isEmpty()) {
      wrong("key", keys, "is read only with by = KEY");
    }
    for (String key : keys) {
      scope.mistake(key).ifPresent(rule -> wrong("key", "'" + key + "'", rule));
    }
  }

  private void request(EndpointCapabilities scope) {
    String costFrom = draft.get(PolicyMembers.COST_FROM);
    if (!costFrom.isEmpty()) {
      scope.costMistake(costFrom).ifPresent(rule -> wrong("costFrom", "'" + costFrom + "'", rule));
    }
    String when = draft.get(PolicyMembers.WHEN);
    if (!when.isEmpty()) {
      scope.conditionMistake(when).ifPresent(rule -> wrong("when", "'" + when + "'", rule));
    }
  }

  private void algorithm(EndpointCapabilities scope) {
    List<Algorithm> algorithms = draft.get(PolicyMembers.ALGORITHM);
    if (algorithms.size() > 1) {
      wrong("algorithm", algorithms, "must be one at most");
    }
    for (Algorithm each : algorithms) {
      scope.mistake(each).ifPresent(rule -> wrong("algorithm", each, rule));
    }
    if (mistakes.isEmpty()) {
      BucketSpec spec = draft.policy().spec();
      scope.mistake(spec.algorithm()).ifPresent(rule -> wrong("algorithm", spec.algorithm(), rule));
      scope.mistake(spec).ifPresent(this::wrong);
    }
  }

  private void wrong(PolicyMistake mistake) {
    wrong(mistake.member(), draft.shown(mistake.member(), mistake.value()), mistake.rule());
  }

  private void wrong(String member, Object value, String rule) {
    String line = place + ": " + draft.label(member) + " = " + value + ": " + rule;
    if (!mistakes.contains(line)) {
      mistakes.add(line);
    }
  }
}
