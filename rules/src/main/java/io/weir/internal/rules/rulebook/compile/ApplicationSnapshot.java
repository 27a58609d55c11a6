package io.weir.internal.rules.rulebook.compile;

import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.internal.rules.rulebook.RulebookContext;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A copy of a context, so that it is read once for many rules. */
record ApplicationSnapshot(
    String zone, Map<String, List<Policy>> bound, boolean hasKeys, RulebookContext context)
    implements RulebookContext {
  ApplicationSnapshot(RulebookContext context) {
    this(
        context.zone(),
        context.boundPolicies().stream().collect(Collectors.groupingBy(Policy::name)),
        context.hasKeys(),
        context);
  }

  /** Whether rules compile to the same as with another copy. */
  @SuppressWarnings("ReferenceEquality") // each application brings a context of its own
  boolean isSameAs(@Nullable ApplicationSnapshot other) {
    return other != null
        && context == other.context
        && zone.equals(other.zone)
        && bound.equals(other.bound);
  }

  @Override
  public Collection<Policy> boundPolicies() {
    return bound.values().stream().flatMap(List::stream).toList();
  }

  @Override
  public List<Policy> boundPolicies(String name) {
    return bound.getOrDefault(name, List.of());
  }

  @Override
  public long cost(String method) {
    return context.cost(method);
  }

  @Override
  public boolean conditionNeedsUser(String condition) {
    return context.conditionNeedsUser(condition);
  }

  @Override
  public List<PolicyMistake> mistakes(Policy policy) {
    return context.mistakes(policy);
  }
}
