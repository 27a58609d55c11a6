package io.weir.rules.problem;

import java.util.Locale;

/**
 * Describes what is wrong with a row, or warns of something.
 *
 * @param table the table
 * @param row identifies the row: a rule's name and tier, or a user's digest
 * @param field the column; empty if it is several
 * @param message what must be changed, as a sentence for people
 * @param isWarning whether the row is used nevertheless
 */
public record RuleProblem(
    String table, String row, String field, String message, boolean isWarning) {
  /** Returns one line, for logs and command lines. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%s %s%s: %s", table, row, field.isEmpty() ? "" : ", " + field, message);
  }
}
