package io.weir.rules;

import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads and changes rules: the rows of {@code rate_limit_rules}.
 *
 * <p>Reads and writes the database in the calling thread, and throws {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
public interface RuleRepository {
  /**
   * Returns all rules that can be read, in any state.
   *
   * @return sorted by tier, pattern and window
   */
  List<Rule> all();

  /**
   * Finds a rule.
   *
   * @param id the key of its row
   * @return empty if there is no such row, or it can't be read
   */
  Optional<Rule> find(long id);

  /**
   * Returns the version of a row, also of one that can't be read as a rule.
   *
   * @param id the key of the row
   * @return empty if there is no such row, or Weir only reads it
   */
  default OptionalLong version(long id) {
    return find(id)
        .filter(rule -> rule.origin().isEmpty())
        .map(rule -> OptionalLong.of(rule.version()))
        .orElse(OptionalLong.empty());
  }

  /**
   * Checks a rule without saving it. Finds problems, and warns the author: which broader rules it
   * replaces, that it begins a new bucket, that a rule of {@code *} stays in force below it.
   *
   * @param rule a new one, or one that replaces its row
   * @return problems and warnings; empty if there are none
   */
  default List<RuleProblem> check(Rule rule) {
    return check(List.of(rule), List.of()).get(0);
  }

  /**
   * Checks a {@link #change} of several rules without making it: each rule beside all that there
   * will be then.
   *
   * @param wanted new ones if their id is 0, else in place of their rows
   * @param deleted rules that won't be there any more
   * @return problems and warnings of each wanted rule, in the same order
   */
  List<List<RuleProblem>> check(List<Rule> wanted, List<Rule> deleted);

  /**
   * Saves a rule: a new one if its id is 0, else in place of its row.
   *
   * @param rule the rule
   * @param author the author, for the history
   * @return as it was saved, with id and version
   * @throws InvalidRuleException if {@link #check} finds problems
   * @throws ConflictException if the row has another version by now, or is gone
   */
  Rule save(Rule rule, String author);

  /**
   * Saves several rules in one transaction: all of them, or none.
   *
   * @param rules new ones if their id is 0, else in place of their rows
   * @param author the author, for the history
   * @return as they were saved, in the same order
   * @throws InvalidRuleException if {@link #check} finds problems in any of them
   * @throws ConflictException if a row has another version by now, or is gone
   */
  default List<Rule> saveAll(List<Rule> rules, String author) {
    return change(rules, List.of(), author);
  }

  /**
   * Adds, replaces and deletes several rules in one transaction: all of this, or nothing.
   *
   * @param wanted new ones if their id is 0, else in place of their rows
   * @param deleted rules to delete, as the author has seen them
   * @param author the author, for the history
   * @return the wanted ones as they were saved, in the same order
   * @throws InvalidRuleException if {@link #check(List, List)} finds problems in any of them
   * @throws ConflictException if a row has another version by now, or is gone
   */
  List<Rule> change(List<Rule> wanted, List<Rule> deleted, String author);

  /**
   * Deletes a rule.
   *
   * @param id the key of its row
   * @param version the version that the author has seen
   * @param author the author, for the history
   * @throws ConflictException if the row has another version by now, or is gone
   */
  void delete(long id, long version, String author);
}
