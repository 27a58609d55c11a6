package io.weir.internal.policy.draft;

import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.internal.settings.PolicyMembers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the mistakes in a policy: those that {@link io.weir.PolicyBuilder} finds, those that depend
 * on the place, and those that only an annotation can have.
 *
 * <p>Confine to one thread.
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
   * Finds all mistakes in a policy.
   *
   * @param place where it was written, for the messages
   * @param scope what it can use there
   * @return lines of place, member, value and rule
   */
  public static List<String> mistakes(PolicyDraft draft, String place, EndpointCapabilities scope) {
    PolicyChecks checks = new PolicyChecks(draft, place);
    checks.members();
    checks.tiers();
    checks.by();
    checks.keys(scope);
    checks.request(scope);
    checks.clearOn(scope);
    checks.algorithm(scope);
    return checks.mistakes;
  }

  private void members() {
    draft.builder().mistakes().forEach(this::wrong);
  }

  private void tiers() {
    Set<String> seen = new HashSet<>();
    for (PolicyDraft.DraftTier tier : draft.tiers) {
      if (!seen.add(tier.name())) {
        wrong("tiers", tier.name(), "must name each tier once");
      }
    }
  }

  private void by() {
    List<By> by = draft.get(PolicyMembers.BY);
    if (new HashSet<>(by).size() < by.size()) {
      wrong("by", by, "must not repeat a value");
    }
    if (by.contains(By.ENDPOINT) && by.stream().anyMatch(each -> each != By.ENDPOINT)) {
      wrong("by", by, "ENDPOINT counts all callers together, so it must be the only value");
    }
  }

  private void keys(EndpointCapabilities scope) {
    List<String> keys = draft.get(PolicyMembers.KEY);
    boolean read = draft.get(PolicyMembers.BY).contains(By.KEY);
    if (read && keys.isEmpty()) {
      wrong("key", keys, "must be set with by = KEY, to header:X-Api-Key for example");
    } else if (!read && !keys.isEmpty()) {
      wrong("key", keys, "must not be set without by = KEY");
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

  private void clearOn(EndpointCapabilities scope) {
    ClearOn clearOn = draft.get(PolicyMembers.CLEAR_ON);
    if (clearOn == ClearOn.SUCCESS
        && !scope.oneMethod()
        && draft.get(PolicyMembers.WHEN).isEmpty()) {
      wrong(
          PolicyMembers.CLEAR_ON.name(),
          clearOn,
          "must be on the method that checks the password, such as doPost, or set when to match"
              + " only its requests: others succeed here without a password and would clear the"
              + " failures");
    }
  }

  private void algorithm(EndpointCapabilities scope) {
    List<Algorithm> algorithms = draft.get(PolicyMembers.ALGORITHM);
    if (algorithms.size() > 1) {
      wrong("algorithm", algorithms, "must name at most one");
    }
    for (Algorithm each : algorithms) {
      scope.mistake(each).ifPresent(rule -> wrong("algorithm", each, rule));
    }
    if (mistakes.isEmpty()) {
      Policy policy = draft.policy();
      scope
          .mistake(policy.algorithm())
          .ifPresent(rule -> wrong("algorithm", policy.algorithm(), rule));
      scope.mistakeOfBucket(policy).ifPresent(this::wrong);
      scope.capabilities().mistakesOfShares(policy).forEach(this::wrong);
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
