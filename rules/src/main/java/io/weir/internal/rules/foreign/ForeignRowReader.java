package io.weir.internal.rules.foreign;

import io.weir.internal.rules.database.ForeignKeys;
import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.StoredRow;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of one foreign table in one transaction, as texts and bounded in bytes.
 *
 * <p>Confine to one transaction.
 */
final class ForeignRowReader {
  /** The most characters of all rows that are read whole. */
  static final long MAX_TEXT = 16_000_000;

  /** As many rows are in memory as the driver has them. */
  private static final int FETCHED_ROWS = 200;

  /** The version of all foreign rows: Weir writes none, so none is ever based on one. */
  private static final String ALWAYS = "1";

  private static final int MAX_NUMBER_LENGTH = 40;
  private static final String LIMIT_EXCEEDED = "54000";

  private final Connection connection;
  private final ForeignSql sql;
  private final ForeignTable table;

  /** The columns as the table spells them, by their names in lower case. */
  private final Map<String, String> spelled = new HashMap<>();

  private final Map<String, String> types = new HashMap<>();

  private ForeignRowReader(Connection connection, ForeignSql sql, ForeignTable table) {
    this.connection = connection;
    this.sql = sql;
    this.table = table;
  }

  /**
   * Reads a table.
   *
   * @param table where the table was found last
   * @param users the users whose rows to read; empty reads all rows
   * @throws SQLException if it can't be read, or is another one by now
   */
  static List<StoredRow> read(
      Connection connection,
      ForeignSql sql,
      List<String> schemas,
      ForeignTable table,
      Optional<Collection<String>> users)
      throws SQLException {
    sql.hold(connection, table);
    if (!sql.find(connection, schemas).contains(table)) {
      throw new SQLException("it was dropped, renamed or given to another owner", "42P01");
    }
    ForeignRowReader reader = new ForeignRowReader(connection, sql, table);
    reader.readTypes();
    return users.isPresent() ? reader.ofUsers(users.get()) : reader.all();
  }

  private void readTypes() throws SQLException {
    List<String> wanted = ForeignColumns.of(table.kind());
    sql.types(connection, table, wanted)
        .forEach(
            (name, type) -> {
              spelled.put(name.toLowerCase(Locale.ROOT), name);
              types.put(name.toLowerCase(Locale.ROOT), type);
            });
    TreeSet<String> missing = new TreeSet<>(wanted);
    missing.removeAll(spelled.keySet());
    if (!missing.isEmpty()) {
      throw new SQLException("it has no column " + String.join(", ", missing), "42703");
    }
  }

  private List<StoredRow> all() throws SQLException {
    return rows(Sql.of(select()));
  }

  private List<StoredRow> ofUsers(Collection<String> users) throws SQLException {
    KeyType type = KeyType.of(types.getOrDefault(RuleTable.USER_ID, ""));
    List<Object> values = users.stream().flatMap(each -> type.value(each).stream()).toList();
    if (values.isEmpty()) {
      return List.of();
    }
    return rows(
        Sql.of(select() + " WHERE ")
            .then(sql.isOneOf(connection, spelled(RuleTable.USER_ID), type, values)));
  }

  private String spelled(String column) {
    return spelled.getOrDefault(column, column);
  }

  private String select() {
    List<String> texts = new ArrayList<>();
    for (String each : ForeignColumns.of(table.kind())) {
      // One character more than allowed, so that what is too long is found.
      texts.add(sql.text(spelled(each), ForeignColumns.maxLength(each) + 1));
    }
    return "SELECT " + String.join(", ", texts) + " FROM " + table.sql();
  }

  private List<StoredRow> rows(Sql query) throws SQLException {
    return query.fetching(FETCHED_ROWS).query(connection, this::rows);
  }

  private List<StoredRow> rows(ResultSet result) throws SQLException {
    List<String> names = ForeignColumns.of(table.kind());
    Map<String, StoredRow> rows = new TreeMap<>();
    long length = 0;
    while (result.next()) {
      Map<String, String> columns = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        String text = result.getString(i + 1);
        if (text != null) {
          columns.put(names.get(i), normal(names.get(i), text));
          length += text.length();
        }
      }
      if (length > MAX_TEXT) {
        throw new SQLException(
            String.format(Locale.ROOT, "it has more than %,d characters", MAX_TEXT),
            LIMIT_EXCEEDED);
      }
      add(row(columns), rows);
    }
    return List.copyOf(rows.values());
  }

  /** Adds a row; one whose id another has already gets a key that is no id, so it is reported. */
  private static void add(StoredRow row, Map<String, StoredRow> rows) {
    String key = row.key();
    for (int again = 2; rows.containsKey(key); again++) {
      key = row.key() + " again (" + again + ")";
    }
    rows.put(key, new StoredRow(row.table(), key, row.columns()));
  }

  private StoredRow row(Map<String, String> columns) {
    columns.put("version", ALWAYS);
    if (table.kind() == RuleTable.USERS) {
      columns.put(ForeignRows.ORIGIN, table.title());
      return new StoredRow(table.kind(), columns.getOrDefault(RuleTable.USER_ID, ""), columns);
    }
    String id = columns.getOrDefault("id", "without id");
    columns.put(ForeignRows.ORIGIN, table.title() + " " + id);
    OptionalLong number = ForeignKeys.of(id);
    String key = number.isPresent() ? Long.toString(number.getAsLong()) : "id " + id;
    return new StoredRow(table.kind(), key, columns);
  }

  /** Writes a value as Weir's own tables have it. */
  private String normal(String column, String text) {
    String type = types.getOrDefault(column, "").toLowerCase(Locale.ROOT);
    return switch (type) {
      case "numeric", "decimal" -> plain(text);
      case "bpchar", "character", "char" -> text.stripTrailing();
      default -> column.endsWith("_at") ? time(text) : text;
    };
  }

  /** Removes zeros after the point: 10.00 is a whole number. */
  private static String plain(String text) {
    if (text.length() > MAX_NUMBER_LENGTH) {
      return text;
    }
    try {
      BigDecimal number = new BigDecimal(text).stripTrailingZeros();
      return number.scale() < -MAX_NUMBER_LENGTH ? text : number.toPlainString();
    } catch (NumberFormatException notANumber) {
      return text;
    }
  }

  /**
   * Returns a time as ISO 8601 in UTC. One that can't be read, such as {@code infinity}, becomes
   * the beginning of time: it only orders rows.
   */
  private static String time(String text) {
    @Nullable Instant time = instant(text.strip().replace(' ', 'T'));
    return (time == null ? Instant.EPOCH : time).toString();
  }

  private static @Nullable Instant instant(String text) {
    try {
      if (text.endsWith("Z")) {
        return Instant.parse(text);
      }
      if (text.matches(".*T.*[+-][0-9]{2}(:[0-9]{2})?")) {
        String full = text.matches(".*[+-][0-9]{2}") ? text + ":00" : text;
        return OffsetDateTime.parse(full).toInstant();
      }
      String dateAndTime = text.contains("T") ? text : text + "T00:00:00";
      return LocalDateTime.parse(dateAndTime).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException notATime) {
      return null;
    }
  }
}
