package io.weir.internal.rules.edit;

import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads rows, of which some can't be read, and refuses values that can't be saved. */
public final class StoredRowReader {
  private StoredRowReader() {}

  /**
   * Reads a row; any failure is reported as a problem of that row.
   *
   * @throws InvalidRuleException if it can't be read, also where the reader didn't foresee it
   */
  public static <T> T read(StoredRow row, Function<StoredRow, T> reader) {
    try {
      return reader.apply(row);
    } catch (InvalidRuleException unreadable) {
      throw unreadable;
    } catch (RuntimeException unforeseen) {
      String table = row.table().tableName();
      String message = "can't be read: " + unforeseen.getClass().getSimpleName();
      throw new InvalidRuleException(
          List.of(new RuleProblem(table, row.table().shown(row.key()), "", message, false)));
    }
  }

  /** Reads a row, if it can be read. */
  public static <T> Optional<T> value(StoredRow row, Function<StoredRow, T> reader) {
    try {
      return Optional.of(read(row, reader));
    } catch (InvalidRuleException unreadable) {
      return Optional.empty();
    }
  }

  /**
   * Returns the newest version that can be read.
   *
   * @param versions the newest first
   * @return nothing if none can
   */
  public static <T> Optional<T> newest(List<StoredRow> versions, Function<StoredRow, T> reader) {
    return versions.stream().flatMap(version -> value(version, reader).stream()).findFirst();
  }

  /** Throws {@link InvalidRuleException} with all that is wrong, unless there are only warnings. */
  public static void refuse(List<RuleProblem> problems) {
    List<RuleProblem> wrong = problems.stream().filter(problem -> !problem.isWarning()).toList();
    if (!wrong.isEmpty()) {
      throw new InvalidRuleException(wrong);
    }
  }
}
