package io.weir.rules;

import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;

/**
 * Exports and applies rules and costs as one YAML file. It has no users and switches, which change
 * from day to day; users are private, too.
 *
 * <p>Reads and writes the database in the calling thread, and throws {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
public interface RulebookYaml {
  /**
   * Exports all rules and costs that can be read.
   *
   * @return the file's text
   */
  String export();

  /**
   * Compares a file with the rows; nothing is changed.
   *
   * @param yaml the file's text
   * @return a line for each change that applying the file would make, and one that counts them
   * @throws IllegalArgumentException naming each mistake by its line
   */
  List<String> compare(String yaml);

  /**
   * Changes the rows to what a file says. The whole file is checked before the first row is
   * changed. A change by another author stops it; applying the file again continues.
   *
   * @param yaml the file's text
   * @param author the author of the changes, for the history
   * @return a line for each change, and one that counts them
   * @throws IllegalArgumentException naming each mistake by its line
   * @throws ConflictException if another author has changed a row meanwhile
   */
  List<String> apply(String yaml, String author);
}
