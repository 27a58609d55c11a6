package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import io.weir.PolicyMistake;
import java.util.Collection;
import java.util.List;

/** The context of one moment, so that it isn't read for each of many rules. */
record ContextOfNow(
    String zone, Collection<Policy> boundPolicies, boolean hasKeys, RulebookContext context)
    implements RulebookContext {
  ContextOfNow(RulebookContext context) {
    this(context.zone(), List.copyOf(context.boundPolicies()), context.hasKeys(), context);
  }

  @Override
  public List<PolicyMistake> mistakes(Policy policy) {
    return context.mistakes(policy);
  }
}
