package io.weir.internal.rules.rulebook.column;

import io.weir.access.AccessAction;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.AccessListRow;
import io.weir.rules.problem.InvalidRuleException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads rows of {@code access_list} as {@link AccessListRow}s, and writes them. */
public final class AccessColumns {
  public static final String ACTION = "action";
  public static final String SUBJECT = "subject";
  private static final String COUNTED = "counted";
  private static final String STATE = "state";
  private static final String REASON = "reason";
  private static final String VALID_UNTIL = "valid_until";

  /** Takes the place of a subject that can't be read, so that all other mistakes are found. */
  private static final AccessSubject UNREADABLE = AccessSubject.user("-");

  private enum State {
    SHADOW,
    ENFORCED
  }

  private AccessColumns() {}

  /**
   * Reads a row.
   *
   * @param mistake finds the rule of the application that a subject breaks
   * @return the row's content, whether it has ended or not
   * @throws InvalidRuleException if it can't be used; the message names all that is wrong
   */
  public static AccessListRow read(
      StoredRow row, Function<AccessSubject, Optional<String>> mistake) {
    RowProblems problems = new RowProblems(RuleTable.ENTRIES, RowProblems.id(row));
    ColumnReader columns = new ColumnReader(row, problems);
    long id = columns.id();
    AccessEntry entry = entry(columns);
    if (problems.isEmpty()) {
      mistake.apply(entry.subject()).ifPresent(rule -> problems.wrong(SUBJECT, rule));
    }
    AccessListRow read =
        new AccessListRow(
            id,
            entry,
            row.version(),
            columns.time("created_at"),
            columns.text("updated_by").orElse(""));
    problems.refuseAny();
    return read;
  }

  private static AccessEntry entry(ColumnReader columns) {
    columns.required(ACTION);
    columns.required(SUBJECT);
    AccessSubject subject = columns.parsed(SUBJECT, AccessSubject::parse).orElse(UNREADABLE);
    AccessEntry plain =
        columns.word(ACTION, AccessAction.class).orElse(AccessAction.DENY) == AccessAction.DENY
            ? AccessEntry.deny(subject)
            : AccessEntry.allow(subject);
    AccessEntry explained = columns.parsed(REASON, plain::withReason).orElse(plain);
    AccessEntry ending = columns.time(VALID_UNTIL).map(explained::until).orElse(explained);
    AccessEntry counted =
        columns.flag(COUNTED).orElse(false)
            ? columns.parsed(COUNTED, on -> ending.counted()).orElse(ending)
            : ending;
    return columns.word(STATE, State.class).orElse(State.ENFORCED) == State.SHADOW
        ? counted.inShadow()
        : counted;
  }

  /** Returns the columns of a row, without key, version and times. */
  public static Map<String, String> write(AccessEntry entry) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put(ACTION, entry.action().name());
    columns.put(SUBJECT, entry.subject().toString());
    if (entry.isCounted()) {
      columns.put(COUNTED, "true");
    }
    if (entry.isShadow()) {
      columns.put(STATE, State.SHADOW.name());
    }
    if (!entry.reason().isEmpty()) {
      columns.put(REASON, entry.reason());
    }
    entry.end().ifPresent(end -> columns.put(VALID_UNTIL, end.toString()));
    return columns;
  }
}
