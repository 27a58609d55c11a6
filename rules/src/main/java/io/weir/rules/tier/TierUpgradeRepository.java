package io.weir.rules.tier;

import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;
import java.util.Optional;

/**
 * The rows of {@code tier_upgrade_requests}: users ask for another tier, administrators decide.
 *
 * <p>Reads and writes the database in the thread of the caller, and throws {@link
 * RulesUnavailableException} where it can't. Safe for concurrent use.
 */
public interface TierUpgradeRepository {
  /** The most requests that can be read at once. */
  int MOST_ROWS = 1_000;

  /**
   * Asks for another tier. Which one the user has now is read from its row, not believed.
   *
   * @param userId who asks
   * @param tier the tier that it wants
   * @param reason why, at most 1,000 characters; may be empty
   * @return the request as it was saved, pending
   * @throws InvalidRuleException if no rule or policy knows the tier, or the user has it already
   * @throws ConflictException if a request of the user is pending
   */
  TierUpgrade request(String userId, String tier, String reason);

  /**
   * Gives the user the tier that it wants, for good. Its own limits stay. The request and the row
   * of the user change together, or neither does.
   *
   * @param id the request
   * @param answer a word for the user, at most 1,000 characters; may be empty
   * @param author who approves, for the history
   * @return the request as it is now
   * @throws InvalidRuleException if any limit would be lower than the user's limit of now: {@link
   *     #lowered} tells which
   * @throws ConflictException if it isn't pending any more, or is gone, or the row of the user has
   *     changed meanwhile
   */
  TierUpgrade approve(long id, String answer, String author);

  /**
   * Says no.
   *
   * @param id the request
   * @param answer a word for the user, at most 1,000 characters; may be empty
   * @param author who declines, for the history
   * @return the request as it is now
   * @throws ConflictException if it isn't pending any more, or is gone
   */
  TierUpgrade decline(long id, String answer, String author);

  /**
   * Takes a request back.
   *
   * @param id the request
   * @param userId whose it has to be
   * @return the request as it is now
   * @throws ConflictException if it isn't pending any more, or is gone, or is somebody else's
   */
  TierUpgrade withdraw(long id, String userId);

  /**
   * What a user would lose by a tier, compared with what holds for it now. A limit of the new tier
   * is lower unless one of now is at least as strict: it counts the same callers and can't admit
   * more within the window of the new one. So a limit where there was none is lower too. Compared
   * are the rules of both tiers at each of their patterns and methods, with the user's own limits,
   * then annotated policies, and the limit of the quota.
   *
   * @param userId whose
   * @param tier the tier to compare with
   * @return a sentence for each limit that would be lower; none if it is an upgrade throughout
   */
  List<String> lowered(String userId, String tier);

  /**
   * One request.
   *
   * @param id the row's key
   * @return nothing if there is none
   */
  Optional<TierUpgrade> find(long id);

  /**
   * The requests of a user.
   *
   * @param userId whose
   * @return the newest first, at most {@value #MOST_ROWS}
   */
  List<TierUpgrade> of(String userId);

  /**
   * Requests of all users.
   *
   * @param status only those of this status; nothing: all
   * @param before only those with a lower id; {@link Long#MAX_VALUE} begins with the newest
   * @param most how many, 1 to {@value #MOST_ROWS}
   * @return the newest first
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<TierUpgrade> list(Optional<UpgradeStatus> status, long before, int most);

  /**
   * How many wait for a decision.
   *
   * @return 0 and more
   */
  long pending();
}
