package io.weir.internal.rules.rulebook;

import io.weir.Policy;
import org.jspecify.annotations.Nullable;

/**
 * The limit that one {@link LimitSource} has for an annotated policy and a caller.
 *
 * <p>Immutable.
 */
public final class LimitOverride {
  public static final LimitOverride OFF = new LimitOverride(null, 0, false);

  /** The limit that the policy has without rules: of the application, settings or annotation. */
  public static final LimitOverride UNCHANGED = new LimitOverride(null, 0, false);

  private final @Nullable Policy policy;
  private final long limit;
  private final boolean ofRules;

  LimitOverride(@Nullable Policy policy, long limit, boolean ofRules) {
    this.policy = policy;
    this.limit = limit;
    this.ofRules = ofRules;
  }

  /**
   * Returns the policy that decides in place of the bound one.
   *
   * @return with the bound policy's name, window and algorithm, and the same object each time for a
   *     rule and a bound policy; null for {@link #OFF} and {@link #UNCHANGED}
   */
  public @Nullable Policy policy() {
    return policy;
  }

  /**
   * Returns the limit that replaces the policy's.
   *
   * @return permits per window, 1 to 1,000,000,000; 0 if there is no {@link #policy}
   */
  public long limit() {
    return limit;
  }

  /** Returns whether it is the limit of a rule or an own limit of the caller. */
  public boolean isOfRules() {
    return ofRules;
  }
}
