package io.weir.rules.tier;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The tier of one user, with limits of its own: a row of {@code user_tiers}.
 *
 * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
 * @param tier its tier; case counts
 * @param ownLimits limits that hold in place of the tier's
 * @param state how far rules hold for this user
 * @param validUntil when the row ends, exclusive; the user has the default tier from then on
 * @param version how often the row was written; 0 for one that isn't saved yet
 */
public record UserTier(
    String userId,
    String tier,
    List<OwnLimit> ownLimits,
    UserState state,
    Optional<Instant> validUntil,
    long version) {
  /**
   * Takes the limits as they are.
   *
   * @param userId see the record
   * @param tier see the record
   * @param ownLimits see the record
   * @param state see the record
   * @param validUntil see the record
   * @param version see the record
   */
  public UserTier {
    ownLimits = List.copyOf(ownLimits);
  }

  /**
   * One that isn't saved yet, with nothing but a tier.
   *
   * @param userId see the record
   * @param tier see the record
   * @return in force, without an end
   */
  public static UserTier of(String userId, String tier) {
    return new UserTier(userId, tier, List.of(), UserState.ENFORCED, Optional.empty(), 0);
  }
}
