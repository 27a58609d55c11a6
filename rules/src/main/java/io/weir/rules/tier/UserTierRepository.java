package io.weir.rules.tier;

import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;
import java.util.Optional;

/**
 * The rows of {@code user_tiers}.
 *
 * <p>Reads and writes the database in the thread of the caller, and throws {@link
 * RulesUnavailableException} where it can't. Safe for concurrent use.
 */
public interface UserTierRepository {
  /**
   * The row of one user.
   *
   * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
   * @return nothing if there is none
   */
  Optional<UserTier> find(String userId);

  /**
   * Some of the rows, by user.
   *
   * @param tier only those of this tier; nothing: all
   * @param state only those of this state; nothing: all
   * @param after only users whose names come after this one; empty begins with the first
   * @param most how many, 1 to 1,000
   * @return those that can be read, in the order in which the database sorts their names
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<UserTier> list(Optional<String> tier, Optional<UserState> state, String after, int most);

  /**
   * Saves the tier of a user: a new row if its version is 0, else in place of that version.
   *
   * @param user the tier and own limits
   * @param author who changes it, for the history
   * @return as it was saved, with its version
   * @throws InvalidRuleException if an own limit fits no rule, or the tier has no name
   * @throws ConflictException if the row has another version by now, or is gone, or is there
   *     already
   */
  UserTier save(UserTier user, String author);

  /**
   * Deletes the row of a user, who has the default tier from then on.
   *
   * @param userId the user
   * @param version the version that the author has seen
   * @param author who deletes it, for the history
   * @throws ConflictException if the row has another version by now, or is gone
   */
  void delete(String userId, long version, String author);
}
