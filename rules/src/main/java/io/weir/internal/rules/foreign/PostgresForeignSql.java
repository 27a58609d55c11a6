package io.weir.internal.rules.foreign;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads foreign tables of PostgreSQL. All operators and functions are those of {@code pg_catalog}:
 * the search path of the transaction has nothing else. Columns become texts by {@code format},
 * which asks only the output function of the type, and no cast; an output function is always built
 * in or made by a superuser. Policies on rows would run functions of others, so that reading fails
 * where one would apply.
 */
final class PostgresForeignSql implements ForeignSql {
  /** In one call. Until the path is pinned, only what is built in can be meant. */
  private static final String BEGIN =
      "SET TRANSACTION READ ONLY;\n"
          + "SELECT pg_catalog.unnest(pg_catalog.current_schemas(false));\n"
          + "SELECT pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true),"
          + " pg_catalog.set_config('row_security', 'off', true),"
          + " pg_catalog.set_config('lock_timeout', '200ms', true),"
          + " pg_catalog.set_config('statement_timeout', '2s', true),"
          + " pg_catalog.set_config('TimeZone', 'UTC', true),"
          + " pg_catalog.set_config('DateStyle', 'ISO, YMD', true)";

  private static final String FIND =
      "SELECT n.nspname, c.relname, pg_catalog.pg_get_userbyid(c.relowner), c.oid,"
          + " c.relkind IN ('r', 'p'),"
          + " pg_catalog.pg_get_userbyid(c.relowner) = current_user"
          + " OR c.relowner = n.nspowner OR c.relowner = d.datdba"
          + " FROM pg_catalog.unnest(?::pg_catalog.text[]) WITH ORDINALITY s (name, place)"
          + " JOIN pg_catalog.pg_namespace n ON n.nspname = s.name"
          + " JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid"
          + " JOIN pg_catalog.pg_database d ON d.datname = pg_catalog.current_database()"
          + " WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relname = ANY (?::pg_catalog.text[])"
          + " ORDER BY s.place";

  /** A domain has the type below it, which may be a domain again. */
  private static final String TYPES =
      "WITH RECURSIVE base (name, type) AS ("
          + "SELECT a.attname, a.atttypid FROM pg_catalog.pg_attribute a"
          + " WHERE a.attrelid = ?::pg_catalog.oid AND a.attnum > 0 AND NOT a.attisdropped"
          + " AND a.attname = ANY (?::pg_catalog.text[])"
          + " UNION ALL SELECT b.name, t.typbasetype FROM base b"
          + " JOIN pg_catalog.pg_type t ON t.oid = b.type WHERE t.typtype = 'd')"
          + " SELECT b.name, CASE WHEN n.nspname = 'pg_catalog' THEN t.typname END"
          + " FROM base b JOIN pg_catalog.pg_type t ON t.oid = b.type"
          + " JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace WHERE t.typtype <> 'd'";

  private final boolean isNamed;

  /**
   * Makes the SQL.
   *
   * @param isNamed whether the schema was named by {@code weir.rules.tables}: then all that is
   *     there is trusted
   */
  PostgresForeignSql(boolean isNamed) {
    this.isNamed = isNamed;
  }

  @Override
  public List<String> begin(Connection connection) throws SQLException {
    List<String> schemas = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      statement.execute(BEGIN);
      statement.getMoreResults();
      try (ResultSet rows = statement.getResultSet()) {
        while (rows.next()) {
          schemas.add(rows.getString(1));
        }
      }
    }
    schemas.removeIf(each -> each.startsWith("pg_") || each.equals("information_schema"));
    return schemas;
  }

  @Override
  public List<ForeignTable> find(Connection connection, List<String> schemas) throws SQLException {
    return Sql.of(
            FIND,
            connection.createArrayOf("text", schemas.toArray()),
            connection.createArrayOf(
                "text", ForeignColumns.tables().stream().map(RuleTable::tableName).toArray()))
        .all(connection, this::table);
  }

  private ForeignTable table(ResultSet row) throws SQLException {
    String name = row.getString(2);
    boolean isTable = row.getBoolean(5);
    return new ForeignTable(
        RuleTable.named(name).orElseThrow(),
        row.getString(1),
        name,
        row.getString(3),
        row.getString(4),
        isTable,
        isNamed || isTable && row.getBoolean(6));
  }

  @Override
  public void hold(Connection connection, ForeignTable table) throws SQLException {
    if (table.isTable()) {
      Sql.of("LOCK TABLE " + table.sql() + " IN ACCESS SHARE MODE").run(connection);
    }
  }

  @Override
  public Map<String, String> types(Connection connection, ForeignTable table, List<String> columns)
      throws SQLException {
    Map<String, String> types = new HashMap<>();
    Sql.of(TYPES, table.id(), connection.createArrayOf("text", columns.toArray()))
        .each(
            connection,
            row -> types.put(row.getString(1), Optional.ofNullable(row.getString(2)).orElse("")));
    return types;
  }

  @Override
  public String text(String column, int most) {
    String quoted = ForeignTable.quoted(column);
    return "CASE WHEN "
        + quoted
        + " IS NULL THEN NULL ELSE pg_catalog.left("
        + asText(quoted)
        + ", "
        + most
        + ") END";
  }

  private static String asText(String quoted) {
    return "pg_catalog.format('%s', " + quoted + ")";
  }

  @Override
  public Sql isOneOf(Connection connection, String column, KeyType type, List<Object> values)
      throws SQLException {
    String quoted = ForeignTable.quoted(column);
    return Sql.of(
        (type == KeyType.OTHER ? asText(quoted) : quoted)
            + " OPERATOR(pg_catalog.=) ANY (?::pg_catalog."
            + typeName(type)
            + "[])",
        connection.createArrayOf(typeName(type), values.toArray()));
  }

  private static String typeName(KeyType type) {
    return switch (type) {
      case TEXT, OTHER -> "text";
      case WHOLE -> "int8";
      case NUMBER -> "numeric";
      case UUID -> "uuid";
    };
  }
}
