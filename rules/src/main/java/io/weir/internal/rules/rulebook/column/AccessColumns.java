package io.weir.internal.rules.rulebook.column;

import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.rules.database.BanRows;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.AccessListRow;
import io.weir.rules.problem.InvalidRuleException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads rows of {@code access_list} as {@link AccessListRow}s, and writes them. */
public final class AccessColumns {
  public static final String ACTION = BanRows.ACTION;
  public static final String SUBJECT = BanRows.SUBJECT;
  private static final String COUNTED = "counted";

  /** Takes the place of a subject that can't be read, so that all other mistakes are found. */
  private static final AccessSubject UNREADABLE = AccessSubject.user("-");

  /** Lists the actions that people may write; bans are made by Weir. */
  private enum Written {
    DENY,
    ALLOW
  }

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
    boolean isBan = BanRows.is(row);
    AccessEntry entry = isBan ? ban(columns) : entry(columns);
    if (problems.isEmpty()) {
      mistake.apply(entry.subject()).ifPresent(rule -> problems.wrong(SUBJECT, rule));
    }
    AccessListRow read =
        new AccessListRow(
            id,
            entry,
            isBan ? columns.text(BanRows.POLICY) : Optional.empty(),
            row.version(),
            columns.time("created_at"),
            columns.text("updated_by").orElse(""));
    problems.refuseAny();
    return read;
  }

  private static AccessEntry entry(ColumnReader columns) {
    columns.required(ACTION);
    columns.required(SUBJECT);
    AccessSubject subject =
        columns
            .parsed(SUBJECT, text -> AccessEntry.deny(AccessSubject.parse(text)).subject())
            .orElse(UNREADABLE);
    AccessEntry plain =
        columns.word(ACTION, Written.class).orElse(Written.DENY) == Written.DENY
            ? AccessEntry.deny(subject)
            : AccessEntry.allow(subject);
    AccessEntry explained = explained(columns, plain);
    AccessEntry ending = columns.time(BanRows.END).map(explained::until).orElse(explained);
    AccessEntry counted =
        columns.flag(COUNTED).orElse(false)
            ? columns.parsed(COUNTED, on -> ending.counted()).orElse(ending)
            : ending;
    return inState(columns, counted);
  }

  private static AccessEntry ban(ColumnReader columns) {
    columns.required(BanRows.END);
    Instant end = columns.time(BanRows.END).orElse(Instant.MIN);
    AccessEntry plain =
        columns
            .parsed(SUBJECT, text -> AccessEntry.ban(AccessSubject.parse(text), end))
            .orElse(AccessEntry.ban(UNREADABLE, end));
    return inState(columns, explained(columns, plain));
  }

  private static AccessEntry explained(ColumnReader columns, AccessEntry entry) {
    return columns.parsed(BanRows.REASON, entry::withReason).orElse(entry);
  }

  private static AccessEntry inState(ColumnReader columns, AccessEntry entry) {
    return columns.word(BanRows.STATE, State.class).orElse(State.ENFORCED) == State.SHADOW
        ? entry.inShadow()
        : entry;
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
      columns.put(BanRows.STATE, State.SHADOW.name());
    }
    if (!entry.reason().isEmpty()) {
      columns.put(BanRows.REASON, entry.reason());
    }
    entry.end().ifPresent(end -> columns.put(BanRows.END, end.toString()));
    return columns;
  }
}
