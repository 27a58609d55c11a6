package io.weir.rules.quota;

import io.weir.Decision;
import io.weir.rules.Rules;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;
import java.util.Optional;

/**
 * Quotas of users by billing periods, with rollover and grants.
 *
 * <p>A user has a quota where a rule with {@code period = QUOTA} holds for its tier. All such rules
 * count in the one quota of the user.
 *
 * <p>Reads and writes the database in the thread of the caller, and throws {@link
 * RulesUnavailableException} where it can't. Safe for concurrent use.
 */
public interface Quotas {
  /**
   * What a user may use in its running period.
   *
   * @param userId the principal's name, or what {@link Rules#userIdOfKey} says of a key
   * @return nothing if no rule gives its tier a quota
   * @throws RulesUnavailableException if the database or the store can't be reached
   * @throws IllegalStateException if these rules hold in no application that runs
   */
  Optional<Quota> find(String userId);

  /**
   * Counts by hand, as a request of this cost does: takes all permits, or none.
   *
   * @param userId the principal's name, or what {@link Rules#userIdOfKey} says of a key
   * @param permits how many to take, 1 to 1,000,000,000
   * @return how it was decided; nothing if no rule gives the user's tier a quota
   * @throws IllegalArgumentException if the number of permits is out of range
   * @throws IllegalStateException if these rules hold in no application that runs
   */
  Optional<Decision> use(String userId, long permits);

  /**
   * The row of one user.
   *
   * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
   * @return nothing if there is none
   */
  Optional<UserQuota> settings(String userId);

  /**
   * Saves the quota of a user: a new row if its version is 0, else in place of that version.
   *
   * @param quota the row
   * @param author who changes it, for the history
   * @return as it was saved, with its version
   * @throws InvalidRuleException if a number is out of range
   * @throws ConflictException if the row has another version by now, or is gone, or is there
   *     already
   */
  UserQuota save(UserQuota quota, String author);

  /**
   * Deletes the row of a user, who has the rule's limit from then on.
   *
   * @param userId the user
   * @param version the version that the author has seen
   * @param author who deletes it, for the history
   * @throws ConflictException if the row has another version by now, or is gone
   */
  void delete(String userId, long version, String author);

  /**
   * The grants of a user, those too that are used up or have ended.
   *
   * @param userId the user
   * @return the newest first, at most 1,000
   */
  List<QuotaGrant> grants(String userId);

  /**
   * Grants permits to a user. They hold at once.
   *
   * @param grant one that isn't saved yet
   * @param author who grants them, for the history and the row
   * @return as it was saved, with its number and version
   * @throws InvalidRuleException if its number of permits is out of range, or its end is past
   */
  QuotaGrant grant(QuotaGrant grant, String author);

  /**
   * Takes a grant back, what was used of it in the running period too.
   *
   * @param id the grant's number
   * @param version the version that the author has seen
   * @param author who takes it back, for the history
   * @throws ConflictException if the row has another version by now, or is gone
   */
  void revoke(long id, long version, String author);

  /**
   * The periods of a user that the ledger has.
   *
   * @param userId the user
   * @param most how many, 1 to 1,000
   * @return the newest first
   * @throws IllegalArgumentException if the number is out of range
   */
  List<QuotaPeriod> periods(String userId, int most);
}
