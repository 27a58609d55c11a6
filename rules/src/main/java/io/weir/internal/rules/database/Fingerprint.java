package io.weir.internal.rules.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.TreeMap;

/**
 * What shows that a table has changed where no trigger tells it: the number of rows and the newest
 * time of a change. A table without such a time is small, and all of it is compared.
 */
final class Fingerprint {
  private static final String CHANGED = "updated_at";

  private Fingerprint() {}

  static String of(Connection connection, TableShape shape) throws SQLException {
    return shape.has(CHANGED) ? newest(connection, shape) : all(connection, shape);
  }

  private static String newest(Connection connection, TableShape shape) throws SQLException {
    String sql = "SELECT COUNT(*), MAX(" + CHANGED + ") FROM " + shape.table().tableName();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet result = statement.executeQuery()) {
      result.next();
      return result.getLong(1) + " " + shape.column(CHANGED).kind().read(result, 2);
    }
  }

  private static String all(Connection connection, TableShape shape) throws SQLException {
    long rows = 0;
    long sum = 0;
    try (PreparedStatement statement = connection.prepareStatement(shape.select());
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows++;
        sum += Digests.first(RowJson.write(new TreeMap<>(shape.row(result).columns())));
      }
    }
    return rows + " " + Long.toHexString(sum);
  }
}
