package io.weir.rules.quota;

import io.weir.Decision;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;
import java.util.Optional;

/**
 * Reads, edits and takes the quotas of users, which have billing periods, rollover and grants.
 *
 * <p>A user has a quota if a rule with {@code period = QUOTA} holds for its tier. All such rules
 * count in the one quota of the user.
 *
 * <p>Reads and writes the database in the calling thread, and throws {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
public interface Quotas {
  /**
   * Returns the quota of a user in the current period.
   *
   * @param userId the principal's name, or {@link io.weir.rules.Rules#userIdOfKey} of a key
   * @return empty if no rule gives its tier a quota
   * @throws RulesUnavailableException if the database or the store is unavailable
   * @throws IllegalStateException if no running application uses these rules
   */
  Optional<Quota> find(String userId);

  /**
   * Takes all of some permits or none, as a request of this cost does.
   *
   * @param userId the principal's name, or {@link io.weir.rules.Rules#userIdOfKey} of a key
   * @param permits the number of permits, 1 to 1,000,000,000
   * @return the decision; empty if no rule gives the user's tier a quota
   * @throws IllegalArgumentException if the number of permits is out of range
   * @throws IllegalStateException if no running application uses these rules
   */
  Optional<Decision> use(String userId, long permits);

  /**
   * Finds the settings of a user.
   *
   * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
   * @return empty if there is none
   */
  Optional<UserQuota> settings(String userId);

  /**
   * Saves the quota of a user: a new row if its version is 0, else in place of that version.
   *
   * @param quota the row
   * @param author the author, for the history
   * @return as it was saved, with its version
   * @throws InvalidRuleException if a number is out of range
   * @throws ConflictException if the row has another version by now, or is gone, or exists already
   */
  UserQuota save(UserQuota quota, String author);

  /**
   * Deletes the settings of a user, who then has the rule's limit.
   *
   * @param userId the user
   * @param version the version that the author has seen
   * @param author the author, for the history
   * @throws ConflictException if the row has another version by now, or is gone
   */
  void delete(String userId, long version, String author);

  /**
   * Returns the grants of a user, also those that are used up or have ended.
   *
   * @param userId the user
   * @return the newest first, at most 1,000
   */
  List<QuotaGrant> grants(String userId);

  /**
   * Grants permits to a user. They can be used at once.
   *
   * @param grant one that isn't saved yet
   * @param author the author, for the history and the row
   * @return as it was saved, with its number and version
   * @throws InvalidRuleException if the number of permits is out of range, or the end is in the
   *     past
   */
  QuotaGrant grant(QuotaGrant grant, String author);

  /**
   * Revokes a grant, also the permits used of it in the current period.
   *
   * @param id the grant's number
   * @param version the version that the author has seen
   * @param author the author, for the history
   * @throws ConflictException if the row has another version by now, or is gone
   */
  void revoke(long id, long version, String author);

  /**
   * Returns the periods of a user in the ledger.
   *
   * @param userId the user
   * @param most the most rows to return, 1 to 1,000
   * @return the newest first
   * @throws IllegalArgumentException if the number is out of range
   */
  List<QuotaPeriod> periods(String userId, int most);
}
