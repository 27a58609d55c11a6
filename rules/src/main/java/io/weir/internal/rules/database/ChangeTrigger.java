package io.weir.internal.rules.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Objects;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * Writes each change of a row in H2 to {@code rule_changes}, in the writer's transaction. A changed
 * key counts as a deleted row and a new one. H2 makes an instance for each table.
 *
 * <p>Databases have the name of this class in their triggers, so it can't be renamed or moved.
 */
public final class ChangeTrigger implements Trigger {
  private H2TriggerColumns columns = H2TriggerColumns.NONE;
  private String insert = "";
  private RuleTable table = RuleTable.RULES;

  public ChangeTrigger() {}

  @Override
  public void init(
      Connection connection,
      String schema,
      String trigger,
      String tableName,
      boolean before,
      int type)
      throws SQLException {
    columns = H2TriggerColumns.of(connection, schema, tableName);
    table = RuleTable.named(tableName.toLowerCase(Locale.ROOT)).orElseThrow();
    insert = ChangeInsert.sql("\"" + schema.replace("\"", "\"\"") + "\".rule_changes", Dialect.H2);
  }

  @Override
  public void fire(Connection connection, Object @Nullable [] before, Object @Nullable [] after)
      throws SQLException {
    if (isOfBanByNode(before, after)) {
      return;
    }
    String author = H2TriggerColumns.author(connection);
    if (before != null && after != null && !key(before).equals(key(after))) {
      write(connection, author, key(before), before, null);
      write(connection, author, key(after), null, after);
    } else {
      Object[] row = after == null ? Objects.requireNonNull(before) : after;
      write(connection, author, key(row), before, after);
    }
  }

  /** Nodes number the bans that they write, and purge those that have ended. */
  private boolean isOfBanByNode(Object @Nullable [] before, Object @Nullable [] after) {
    if (before != null && !isBan(before) || after != null && !isBan(after)) {
      return false;
    }
    if (after == null) {
      return before != null
          && columns.value(BanRows.NUMBER, before) != null
          && columns.value(BanRows.END, before) instanceof OffsetDateTime end
          && !end.toInstant().isAfter(Instant.now());
    }
    Object number = before == null ? null : columns.value(BanRows.NUMBER, before);
    return !Objects.equals(number, columns.value(BanRows.NUMBER, after));
  }

  private boolean isBan(Object[] row) {
    return BanRows.BAN.equals(columns.value(BanRows.ACTION, row));
  }

  private String key(Object[] row) {
    return String.valueOf(columns.value(table.keyColumn(), row));
  }

  private void write(
      Connection connection,
      String author,
      String key,
      Object @Nullable [] before,
      Object @Nullable [] after)
      throws SQLException {
    ChangeInsert.run(
        connection,
        insert,
        Instant.now(),
        author,
        table.tableName(),
        key,
        before == null ? null : columns.json(before),
        after == null ? null : columns.json(after));
  }
}
