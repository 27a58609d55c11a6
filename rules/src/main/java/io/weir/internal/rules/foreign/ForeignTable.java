package io.weir.internal.rules.foreign;

import io.weir.internal.rules.database.RuleTable;

/**
 * A table or view that Weir didn't make, of the name of one of Weir's.
 *
 * @param kind the table of Weir that has such rows as well
 * @param schema its schema, as the database spells it
 * @param name its name, as the database spells it
 * @param owner the role that owns it; in H2 the owner of its schema
 * @param id identifies it in the database, also after it was renamed
 * @param isTable false for a view
 * @param isTrusted whether it may be read: its schema is named by {@code weir.rules.tables}, or it
 *     is a table of Weir's role, of the schema's or of the database's owner
 */
record ForeignTable(
    RuleTable kind,
    String schema,
    String name,
    String owner,
    String id,
    boolean isTable,
    boolean isTrusted) {
  /** Returns schema and name, for messages. */
  String title() {
    return schema + "." + name;
  }

  /** Returns schema and name as SQL, quoted. */
  String sql() {
    return quoted(schema) + "." + quoted(name);
  }

  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
