package io.weir.rules;

import java.time.Instant;

/**
 * Turns a policy off, or lets it only measure, until a time: a row of {@code switches}. It goes
 * before rules, settings and annotations.
 *
 * @param policy the name of a policy or rule; {@code *} means all
 * @param state what it makes of it
 * @param until when it ends by itself, exclusive; at most 30 days ahead
 * @param reason why, for whoever is on call
 * @param setBy who set it
 */
public record PolicySwitch(
    String policy, SwitchState state, Instant until, String reason, String setBy) {
  /** What {@link #policy()} says to mean all. */
  public static final String ALL = "*";
}
