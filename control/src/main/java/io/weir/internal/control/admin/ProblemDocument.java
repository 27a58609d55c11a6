package io.weir.internal.control.admin;

import io.weir.rules.problem.RuleProblem;

/** A row that can't be used as it is, or should be looked at. */
record ProblemDocument(String table, String row, String field, String message, boolean isWarning) {
  static ProblemDocument of(RuleProblem each) {
    return new ProblemDocument(
        each.table(), each.row(), each.field(), each.message(), each.isWarning());
  }
}
