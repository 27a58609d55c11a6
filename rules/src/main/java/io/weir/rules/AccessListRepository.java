package io.weir.rules;

import io.weir.access.AccessAction;
import io.weir.access.AccessSubject;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads and changes entries of the access list: the rows of {@code access_list}. Entries of
 * settings and of {@code weir.access.file} aren't among them.
 *
 * <p>The bans that Weir makes are rows as well. They can be read and deleted, which lifts them, and
 * neither added nor replaced.
 *
 * <p>Reads and writes the database in the calling thread, and throws {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
public interface AccessListRepository {
  /** The most rows of one call. */
  int MAX_ROWS = 1_000;

  /**
   * Returns some of the rows, also of entries that have ended and aren't removed yet.
   *
   * @param action only those of this action; empty for all
   * @param before only those with a lower id; {@link Long#MAX_VALUE} begins with the newest
   * @param most the most rows to return, 1 to {@value #MAX_ROWS}
   * @return those that can be read, the newest first
   * @throws IllegalArgumentException if {@code most} is out of range
   */
  List<AccessListRow> list(Optional<AccessAction> action, long before, int most);

  /**
   * Returns the rows of a subject. A block doesn't count as the addresses in it.
   *
   * @param subject the callers
   * @return those whose text is that of the subject, of an address also without {@code ip:}; the
   *     newest first, at most {@value #MAX_ROWS}
   */
  List<AccessListRow> of(AccessSubject subject);

  /**
   * Finds a row.
   *
   * @param id the key of the row
   * @return empty if there is no such row, or it can't be read
   */
  Optional<AccessListRow> find(long id);

  /**
   * Returns the version of a row, also of one that can't be read as an entry.
   *
   * @param id the key of the row
   * @return empty if there is no such row
   */
  OptionalLong version(long id);

  /**
   * Checks a row without saving it. Finds problems, such as a block that covers a trusted proxy,
   * and warns of an entry that has ended already, or that another row has as well.
   *
   * @param row a new one, or one that replaces its row
   * @return problems and warnings; empty if there are none
   */
  List<RuleProblem> check(AccessListRow row);

  /**
   * Saves a row: a new one if its id is 0, else in place of its row.
   *
   * @param row the row
   * @param author the author, for the history
   * @return as it was saved, with id and version
   * @throws InvalidRuleException if {@link #check} finds problems
   * @throws ConflictException if the row has another version by now, or is gone
   */
  default AccessListRow save(AccessListRow row, String author) {
    return change(List.of(row), List.of(), author).get(0);
  }

  /**
   * Adds, replaces and deletes several rows in one transaction: all of this, or nothing.
   *
   * @param wanted new ones if their id is 0, else in place of their rows
   * @param deleted rows to delete, as the author has seen them
   * @param author the author, for the history
   * @return the wanted ones as they were saved, in the same order
   * @throws InvalidRuleException if {@link #check} finds problems in any of them
   * @throws ConflictException if a row has another version by now, or is gone
   */
  List<AccessListRow> change(
      List<AccessListRow> wanted, List<AccessListRow> deleted, String author);

  /**
   * Deletes a row, whether it can be read or not.
   *
   * @param id the key of the row
   * @param version the version that the author has seen
   * @param author the author, for the history
   * @throws ConflictException if the row has another version by now, or is gone
   */
  void delete(long id, long version, String author);
}
