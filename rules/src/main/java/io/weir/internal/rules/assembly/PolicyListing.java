package io.weir.internal.rules.assembly;

import io.weir.Policy;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.rules.PolicyInForce;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Lists the policies that may decide requests. */
final class PolicyListing {
  private PolicyListing() {}

  /** Lists them at a time in microseconds since the epoch: bound ones first, by name. */
  static List<PolicyInForce> of(Rulebook book, long now) {
    List<PolicyInForce> all = new ArrayList<>();
    book.boundPolicies().stream()
        .sorted(Comparator.comparing(Policy::name))
        .forEach(
            each ->
                all.add(
                    new PolicyInForce(each, Optional.empty(), book.switchOf(each.name(), now))));
    book.rules().stream()
        .filter(each -> each.holds(now))
        .sorted(Comparator.comparing(CompiledRule::name).thenComparing(each -> each.rule().tier()))
        .forEach(
            each ->
                all.add(
                    new PolicyInForce(
                        each.policy(false),
                        Optional.of(each.rule()),
                        book.switchOf(each.name(), now))));
    return List.copyOf(all);
  }
}
