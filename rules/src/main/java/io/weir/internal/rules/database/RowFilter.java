package io.weir.internal.rules.database;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Selects a page of rows of a table.
 *
 * @param equal the columns, in lower case, that must have a text; NULL counts as {@code absent}
 * @param absent the meaning of NULL in those columns
 * @param beyond only rows whose key comes after this one in the wanted order
 * @param isDescending whether the highest key comes first
 * @param most how many at most, 1 and more
 */
public record RowFilter(
    Map<String, String> equal,
    String absent,
    Optional<String> beyond,
    boolean isDescending,
    int most) {
  /** Takes the columns as they are. */
  public RowFilter {
    equal = new TreeMap<>(equal);
  }

  public String sql(String select, String key) {
    StringBuilder sql = new StringBuilder(select).append(" WHERE 1 = 1");
    for (String column : equal.keySet()) {
      sql.append(" AND COALESCE(CAST(").append(column).append(" AS VARCHAR(500)), ?) = ?");
    }
    if (beyond.isPresent()) {
      sql.append(" AND ").append(key).append(isDescending ? " < ?" : " > ?");
    }
    return sql.append(" ORDER BY ")
        .append(key)
        .append(isDescending ? " DESC" : "")
        .append(" LIMIT ?")
        .toString();
  }

  public void bind(PreparedStatement statement, ColumnType key) throws SQLException {
    int next = 1;
    for (String text : equal.values()) {
      statement.setString(next++, absent);
      statement.setString(next++, text);
    }
    if (beyond.isPresent()) {
      key.bind(statement, next++, beyond.get());
    }
    statement.setInt(next, most);
  }
}
