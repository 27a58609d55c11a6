package io.weir.rules;

import java.time.Instant;

/**
 * Turns a policy off or into shadow mode until a time: a row of {@code switches}. It overrides
 * rules, settings and annotations.
 *
 * @param policy the name of a policy or rule; {@code *} means all
 * @param state the state of the policy until then
 * @param until when it ends by itself, exclusive; at most 30 days ahead
 * @param reason the reason, for people on call
 * @param setBy the author who set it
 */
public record PolicySwitch(
    String policy, SwitchState state, Instant until, String reason, String setBy) {
  /** The {@link #policy()} that stands for all. */
  public static final String ALL = "*";
}
