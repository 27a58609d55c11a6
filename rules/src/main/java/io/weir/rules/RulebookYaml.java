package io.weir.rules;

import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;

/**
 * Rules and costs as one file of YAML. Users and switches aren't in it: they change from day to
 * day, and users are nobody else's business.
 *
 * <p>Reads and writes the database in the thread of the caller, and throws {@link
 * RulesUnavailableException} where it can't. Safe for concurrent use.
 */
public interface RulebookYaml {
  /**
   * All rules and costs that can be read.
   *
   * @return the file's text
   */
  String export();

  /**
   * What applying a file would change.
   *
   * @param yaml the file's text
   * @return a line for each change, and how many there are; nothing is changed
   * @throws IllegalArgumentException naming each mistake by its line
   */
  List<String> compare(String yaml);

  /**
   * Makes the rows what a file says. The whole file is checked before the first row is changed;
   * what somebody else has changed meanwhile stops it, and applying it again goes on.
   *
   * @param yaml the file's text
   * @param author who changes the rows, for the history
   * @return a line for each change, and how many there were
   * @throws IllegalArgumentException naming each mistake by its line
   * @throws ConflictException if somebody else has changed a row meanwhile
   */
  List<String> apply(String yaml, String author);
}
