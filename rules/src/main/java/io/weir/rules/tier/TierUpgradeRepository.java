package io.weir.rules.tier;

import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;
import java.util.Optional;

/**
 * Manages requests of users for another tier, which administrators decide: the rows of {@code
 * tier_upgrade_requests}.
 *
 * <p>Reads and writes the database in the calling thread, and throws {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
public interface TierUpgradeRepository {
  /** The most requests of one call. */
  int MAX_ROWS = 1_000;

  /**
   * Requests another tier. The user's current tier is read from its row.
   *
   * @param userId the user
   * @param tier the tier that the user wants
   * @param reason the reason, at most 1,000 characters; may be empty
   * @return the request as it was saved, pending
   * @throws InvalidRuleException if no rule or policy knows the tier, or the user has it already
   * @throws ConflictException if a request of the user is pending
   */
  TierUpgrade request(String userId, String tier, String reason);

  /**
   * Approves a request: the user has the tier without an end, and keeps its own limits. The request
   * and the row of the user change in one transaction.
   *
   * @param id the request
   * @param answer the answer to the user, at most 1,000 characters; may be empty
   * @param author the author, for the history
   * @return the request as it is now
   * @throws InvalidRuleException if any limit would be lower than the user's current one, see
   *     {@link #lowered}
   * @throws ConflictException if it isn't pending any more, or is gone, or the row of the user has
   *     changed meanwhile
   */
  TierUpgrade approve(long id, String answer, String author);

  /**
   * Declines a request.
   *
   * @param id the request
   * @param answer the answer to the user, at most 1,000 characters; may be empty
   * @param author the author, for the history
   * @return the request as it is now
   * @throws ConflictException if it isn't pending any more, or is gone
   */
  TierUpgrade decline(long id, String answer, String author);

  /**
   * Withdraws a request.
   *
   * @param id the request
   * @param userId the user who must have made it
   * @return the request as it is now
   * @throws ConflictException if it isn't pending any more, or is gone, or belongs to another user
   */
  TierUpgrade withdraw(long id, String userId);

  /**
   * Finds the limits that a tier would lower, compared with the user's current ones. A limit of the
   * new tier is lower unless a current one is at least as strict: it counts the same callers and
   * can't admit more within the window of the new one. So a limit where there was none counts as
   * lower. This compares the rules of both tiers at each of their patterns and methods with the
   * user's own limits, then annotated policies, and the limit of the quota.
   *
   * @param userId the user
   * @param tier the tier to compare with
   * @return a sentence for each limit that would be lower; none if it is an upgrade throughout
   */
  List<String> lowered(String userId, String tier);

  /**
   * Returns the tiers that a user may ask for, and its own. A tier that would {@linkplain #lowered
   * lower a limit} of the user isn't among them, since it can't be approved.
   *
   * @param userId the user
   * @return the current tier first, then the others by name; without limits that count addresses,
   *     and without those of rules for all tiers
   */
  List<TierOffer> offers(String userId);

  /**
   * Finds a request.
   *
   * @param id the row's key
   * @return empty if there is none
   */
  Optional<TierUpgrade> find(long id);

  /**
   * Returns the requests of a user.
   *
   * @param userId the user
   * @return the newest first, at most {@value #MAX_ROWS}
   */
  List<TierUpgrade> of(String userId);

  /**
   * Returns requests of all users.
   *
   * @param status only those of this status; empty for all
   * @param before only those with a lower id; {@link Long#MAX_VALUE} begins with the newest
   * @param most the most rows to return, 1 to {@value #MAX_ROWS}
   * @return the newest first
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<TierUpgrade> list(Optional<UpgradeStatus> status, long before, int most);

  /**
   * Returns the number of pending requests.
   *
   * @return at least 0
   */
  long pending();
}
