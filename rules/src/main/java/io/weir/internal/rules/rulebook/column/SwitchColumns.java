package io.weir.internal.rules.rulebook.column;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.PolicySwitch;
import io.weir.rules.SwitchState;
import io.weir.rules.problem.InvalidRuleException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads rows of {@code switches} as {@link PolicySwitch}es, and writes them. */
public final class SwitchColumns {
  private SwitchColumns() {}

  /**
   * Reads a row.
   *
   * @return the row's content, whether it has ended or not
   * @throws InvalidRuleException if it can't be used; the message names all that is wrong
   */
  public static PolicySwitch read(StoredRow row) {
    RowProblems problems = new RowProblems(RuleTable.SWITCHES, row.key());
    ColumnReader columns = new ColumnReader(row, problems);
    columns.required("state");
    columns.required("until");
    PolicySwitch read =
        new PolicySwitch(
            row.key(),
            columns.word("state", SwitchState.class).orElse(SwitchState.SHADOW),
            columns.time("until").orElse(Instant.EPOCH),
            columns.text("reason").orElse(""),
            columns.text("set_by").orElse(""));
    problems.refuseAny();
    return read;
  }

  /** Returns the columns of a row, with its key, without times. */
  public static Map<String, String> write(PolicySwitch wanted) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("policy", wanted.policy());
    columns.put("state", wanted.state().name());
    columns.put("until", wanted.until().toString());
    if (!wanted.reason().isBlank()) {
      columns.put("reason", wanted.reason());
    }
    if (!wanted.setBy().isBlank()) {
      columns.put("set_by", wanted.setBy());
    }
    return columns;
  }
}
