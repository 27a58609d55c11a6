package io.weir.rules;

import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;
import java.util.Optional;

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
   * Checks a rule without saving it. Finds problems, and warns the author: which broader rules it
   * replaces, that it begins a new bucket, that a rule of {@code *} stays in force below it.
   *
   * @param rule a new one, or one that replaces its row
   * @return problems and warnings; empty if there are none
   */
  List<RuleProblem> check(Rule rule);

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
  List<Rule> saveAll(List<Rule> rules, String author);

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
