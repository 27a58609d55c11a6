package io.weir.rules.tier;

import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;
import java.util.Optional;

/**
 * Reads and changes the tiers of users: the rows of {@code user_tiers}.
 *
 * <p>Reads and writes the database in the calling thread, and throws {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
public interface UserTierRepository {
  /**
   * Finds the row of a user.
   *
   * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
   * @return Weir's own, else that of a table that Weir didn't make; empty if there is none
   */
  Optional<UserTier> find(String userId);

  /**
   * Finds the row of a user in a table that Weir didn't make. A row of Weir's own overrides it
   * until that is deleted or has ended.
   *
   * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
   * @return empty if there is none
   */
  Optional<UserTier> findForeign(String userId);

  /**
   * Returns some of Weir's own rows, sorted by user.
   *
   * @param tier only those of this tier; empty for all
   * @param state only those of this state; empty for all
   * @param after only users whose names come after this one; empty begins with the first
   * @param most the most rows to return, 1 to 1,000
   * @return those that can be read, in the order in which the database sorts their names
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<UserTier> list(Optional<String> tier, Optional<UserState> state, String after, int most);

  /**
   * Returns users who have limits or a quota of their own, sorted by user: a change of their tier's
   * rules doesn't change those. A user without a row in force has the tier of a table that Weir
   * didn't make, else the default tier, and the version 0.
   *
   * @param tier only those of this tier; empty for all
   * @param after only users whose names come after this one; empty begins with the first
   * @param most the most users to return, 1 to 1,000
   * @return in the order in which the database sorts their names
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<UserTier> listWithOwnTerms(Optional<String> tier, String after, int most);

  /**
   * Checks the tier of a user without saving it. Finds own limits that match no rule of the tier,
   * and warns of a tier that nothing limits.
   *
   * @param user the tier and own limits
   * @return problems and warnings, which name the user by digest; empty if there are none
   */
  List<RuleProblem> check(UserTier user);

  /**
   * Saves the tier of a user: a new row if its version is 0, else in place of that version.
   *
   * @param user the tier and own limits
   * @param author the author, for the history
   * @return as it was saved, with its version
   * @throws InvalidRuleException if {@link #check} finds problems
   * @throws ConflictException if the row has another version by now, or is gone, or exists already
   */
  UserTier save(UserTier user, String author);

  /**
   * Deletes the row of a user, who then has the default tier.
   *
   * @param userId the user
   * @param version the version that the author has seen
   * @param author the author, for the history
   * @throws ConflictException if the row has another version by now, or is gone
   */
  void delete(String userId, long version, String author);
}
