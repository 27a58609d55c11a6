package io.weir.internal.rules.edit;

import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.InvalidRuleException;
import io.weir.rules.RuleProblem;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Rows that can be read, and values that can be saved. */
final class ReadableRows {
  private ReadableRows() {}

  /** What a row says; nothing if it can't be read. */
  static <T> Optional<T> value(StoredRow row, Function<StoredRow, T> reader) {
    try {
      return Optional.of(reader.apply(row));
    } catch (InvalidRuleException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * Lets pass what has warnings only.
   *
   * @throws InvalidRuleException naming everything that is wrong
   */
  static void refuse(List<RuleProblem> problems) {
    List<RuleProblem> wrong = problems.stream().filter(problem -> !problem.isWarning()).toList();
    if (!wrong.isEmpty()) {
      throw new InvalidRuleException(wrong);
    }
  }
}
