package io.weir.internal.rules.foreign;

import io.weir.internal.rules.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The SQL that reads foreign tables, of one database. Nothing of it can run what others wrote. */
interface ForeignSql {
  /**
   * Begins a transaction: read-only and bounded in time where the database can, and with names that
   * nobody else can define.
   *
   * @return the schemas of the search path before, in its order
   */
  List<String> begin(Connection connection) throws SQLException;

  /**
   * Returns the schema of Weir's own tables, which aren't foreign.
   *
   * @param connection puts the name that is set in place of the usual one
   */
  default String ownSchema(Connection connection) throws SQLException {
    return Sql.of("SELECT 'weir'").one(connection, row -> row.getString(1));
  }

  /** Finds tables and views of the names of Weir's in some schemas, in their order. */
  List<ForeignTable> find(Connection connection, List<String> schemas) throws SQLException;

  /**
   * Keeps a table from being dropped, renamed or given away until the transaction ends. Does
   * nothing for views, whose owner is trusted as their schema is.
   */
  void hold(Connection connection, ForeignTable table) throws SQLException;

  /** Returns the built-in type below each of some columns by name; of other types an empty text. */
  Map<String, String> types(Connection connection, ForeignTable table, List<String> columns)
      throws SQLException;

  /** Returns an expression for a column as a text of at most so many characters. */
  String text(String column, int most);

  /** Returns a condition: the column is one of some values. */
  Sql isOneOf(Connection connection, String column, KeyType type, List<Object> values)
      throws SQLException;
}
