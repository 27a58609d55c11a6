package io.weir.rules.problem;

import java.util.Locale;

/**
 * What is wrong with a row, or should be looked at.
 *
 * @param table the table
 * @param row how the row is called: a rule's name and tier, a user's digest
 * @param field the column; empty if it is about several
 * @param message the rule that is broken, as a sentence for people
 * @param isWarning whether the row holds all the same
 */
public record RuleProblem(
    String table, String row, String field, String message, boolean isWarning) {
  /** On one line, for logs and command lines. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%s %s%s: %s", table, row, field.isEmpty() ? "" : ", " + field, message);
  }
}
