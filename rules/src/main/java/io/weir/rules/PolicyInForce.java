package io.weir.rules;

import io.weir.Policy;
import java.util.Optional;

/**
 * Describes a policy that may decide requests.
 *
 * @param policy the policy; for a quota, with the rule's limit and without a period
 * @param rule the rule that it is made of; empty if it comes from an annotation or from settings
 * @param switched the state that a switch gives it now; empty without a switch
 */
public record PolicyInForce(Policy policy, Optional<Rule> rule, Optional<SwitchState> switched) {}
