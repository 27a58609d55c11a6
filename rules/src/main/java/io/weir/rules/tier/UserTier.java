package io.weir.rules.tier;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Gives a user a tier and limits of its own: a row of {@code user_tiers}.
 *
 * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
 * @param tier the tier; case counts
 * @param ownLimits limits that replace those of the tier
 * @param state whether rules are enforced for the user
 * @param validUntil when the row ends, exclusive; the user has the default tier from then on
 * @param version how often the row was written; 0 for one that isn't saved yet
 * @param origin the table that Weir didn't make, as in {@code public.user_tiers}; empty for a row
 *     of Weir's own
 */
public record UserTier(
    String userId,
    String tier,
    List<OwnLimit> ownLimits,
    UserState state,
    Optional<Instant> validUntil,
    long version,
    Optional<String> origin) {
  /**
   * Copies the limits.
   *
   * @param userId the principal's name
   * @param tier the tier
   * @param ownLimits limits that replace those of the tier
   * @param state whether rules are enforced for the user
   * @param validUntil when the row ends
   * @param version how often the row was written
   * @param origin the table that Weir didn't make
   */
  public UserTier {
    ownLimits = List.copyOf(ownLimits);
  }

  /**
   * Makes a row of Weir's own.
   *
   * @param userId the principal's name
   * @param tier the tier
   * @param ownLimits limits that replace those of the tier
   * @param state whether rules are enforced for the user
   * @param validUntil when the row ends
   * @param version how often the row was written
   */
  public UserTier(
      String userId,
      String tier,
      List<OwnLimit> ownLimits,
      UserState state,
      Optional<Instant> validUntil,
      long version) {
    this(userId, tier, ownLimits, state, validUntil, version, Optional.empty());
  }

  /**
   * Makes a row that isn't saved yet, with nothing but a tier.
   *
   * @param userId the principal's name
   * @param tier the tier
   * @return an enforced tier without an end
   */
  public static UserTier of(String userId, String tier) {
    return new UserTier(userId, tier, List.of(), UserState.ENFORCED, Optional.empty(), 0);
  }
}
