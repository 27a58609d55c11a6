package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What rules say of an annotated policy for one caller.
 *
 * <p>Immutable.
 */
public final class BoundLimit {
  private final @Nullable CompiledRule rule;
  private final Policy policy;
  private final long limit;
  private final boolean own;

  BoundLimit(@Nullable CompiledRule rule, Policy policy, long limit, boolean own) {
    this.rule = rule;
    this.policy = policy;
    this.limit = limit;
    this.own = own;
  }

  /**
   * The rule whose burst, mode, priority and failure behaviour hold.
   *
   * @return nothing if the caller has an own limit, and its tier no rule for the policy
   */
  public Optional<CompiledRule> rule() {
    return Optional.ofNullable(rule);
  }

  /**
   * The policy to decide by: the bound one as the rule has it.
   *
   * @return with the bound policy's name, window and algorithm; always the same object for a rule
   *     and a bound policy
   */
  public Policy policy() {
    return policy;
  }

  /**
   * The limit that holds for the caller.
   *
   * @return permits per window, 1 to 1,000,000,000
   */
  public long limit() {
    return limit;
  }

  /**
   * Whether the limit is the caller's own.
   *
   * @return false if it is the rule's
   */
  public boolean isOwn() {
    return own;
  }
}
