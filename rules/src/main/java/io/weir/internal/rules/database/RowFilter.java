package io.weir.internal.rules.database;

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
  public RowFilter {
    equal = new TreeMap<>(equal);
  }

  public Sql sql(TableColumns table) {
    String key = table.key().name();
    Sql sql = Sql.of(table.select() + " WHERE 1 = 1");
    for (Map.Entry<String, String> each : equal.entrySet()) {
      sql =
          sql.then(
              " AND COALESCE(CAST(" + each.getKey() + " AS VARCHAR), ?) = ?",
              absent,
              each.getValue());
    }
    if (beyond.isPresent()) {
      Object last = table.key().type().value(beyond.get());
      sql = sql.then(" AND " + key + (isDescending ? " < ?" : " > ?"), last);
    }
    return sql.then(" ORDER BY " + key + (isDescending ? " DESC" : "") + " LIMIT ?", most);
  }
}
