package io.weir.internal.rules.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * Updates {@code version}, {@code updated_at} and {@code updated_by} of rows in H2 where the writer
 * didn't. H2 makes an instance for each table.
 *
 * <p>Databases have the name of this class in their triggers, so it can't be renamed or moved.
 */
public final class StampTrigger implements Trigger {
  private H2TriggerColumns columns = H2TriggerColumns.NONE;

  public StampTrigger() {}

  @Override
  public void init(
      Connection connection, String schema, String trigger, String table, boolean before, int type)
      throws SQLException {
    columns = H2TriggerColumns.of(connection, schema, table);
  }

  @Override
  public void fire(Connection connection, Object @Nullable [] before, Object @Nullable [] after)
      throws SQLException {
    if (after == null) {
      return;
    }
    OffsetDateTime moment = OffsetDateTime.now(ZoneOffset.UTC);
    if (isSame("version", before, after)) {
      Object version = before == null ? null : columns.value("version", before);
      columns.set("version", after, version == null ? 1L : ((Number) version).longValue() + 1);
    }
    if (isSame("updated_at", before, after)) {
      columns.set("updated_at", after, moment);
    }
    if (isSame("updated_by", before, after)) {
      columns.set("updated_by", after, H2TriggerColumns.author(connection));
    }
    if (before == null && columns.value("created_at", after) == null) {
      columns.set("created_at", after, moment);
    }
  }

  private boolean isSame(String column, Object @Nullable [] before, Object[] after) {
    Object was = before == null ? null : columns.value(column, before);
    return Objects.equals(was, columns.value(column, after));
  }
}
