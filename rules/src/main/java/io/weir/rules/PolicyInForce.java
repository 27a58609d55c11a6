package io.weir.rules;

import io.weir.Policy;
import java.util.Optional;

/**
 * A policy that may decide requests.
 *
 * @param policy as it counts and decides; of a quota under the rule's limit, without a period
 * @param rule the rule that it is made of; nothing of one of annotations and settings
 * @param switched what a switch makes of it now; nothing if there is none
 */
public record PolicyInForce(Policy policy, Optional<Rule> rule, Optional<SwitchState> switched) {}
