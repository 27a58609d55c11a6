package io.weir.internal.rules.usage;

import io.weir.internal.rules.database.WrittenTable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** Adds rows of violations, also to an adopted table. Confine to one thread. */
final class ViolationWriter {
  static final String TABLE = "rate_limit_violations";
  static final String AT = "timestamp";
  static final String COUNT = "attempted_count";
  static final String POLICY = "policy";

  static final List<String> COLUMNS = List.of("id", "user_id", "endpoint", AT, COUNT, POLICY);

  void write(Connection connection, Map<ViolationKey, RefusalCount> rows) throws SQLException {
    WrittenTable table =
        WrittenTable.find(connection, TABLE, COLUMNS)
            .orElseThrow(() -> new SQLException("the database has no table " + TABLE, "42P01"));
    boolean hasPolicy = table.has(POLICY);
    String sql =
        "INSERT INTO "
            + TABLE
            + " (user_id, endpoint, "
            + AT
            + ", attempted_count"
            + (hasPolicy ? ", policy) VALUES (?, ?, ?, ?, ?)" : ") VALUES (?, ?, ?, ?)");
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Map.Entry<ViolationKey, RefusalCount> each : rows.entrySet()) {
        ViolationKey key = each.getKey();
        String caller = table.fits("user_id", key.caller()) ? key.caller() : FinishedRequest.OTHERS;
        if (!table.fits("user_id", caller)) {
          continue; // an adopted column of numbers, say, has no place for all others together
        }
        table.bind(statement, 1, "user_id", caller);
        table.bind(statement, 2, "endpoint", cut(table, "endpoint", key.endpoint()));
        table.bind(statement, 3, AT, time(each.getValue().first()));
        long most = Math.min(Integer.MAX_VALUE, table.most(COUNT));
        long number = Math.min(each.getValue().number(), most);
        table.bind(statement, 4, COUNT, String.valueOf(number));
        if (hasPolicy) {
          table.bind(statement, 5, POLICY, cut(table, POLICY, key.policy()));
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static String cut(WrittenTable table, String column, String text) {
    String fitting = text;
    while (!fitting.isEmpty() && !table.fits(column, fitting)) {
      fitting = fitting.substring(0, fitting.length() - 1);
    }
    return fitting;
  }

  private static String time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
  }
}
