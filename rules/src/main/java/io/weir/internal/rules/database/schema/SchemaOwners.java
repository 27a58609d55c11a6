package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds roles that nobody has trusted and that own Weir's schema or something in it. They could
 * have made it before Weir did, with triggers that run as Weir's role.
 */
final class SchemaOwners {
  /**
   * Trusted are Weir's role, those it is a member of, the owner of the database and superusers. A
   * superuser counts as a member of each role, so its memberships aren't asked for.
   */
  private static final String STRANGERS =
      "SELECT CAST(r.rolname AS text) || ' ('"
          + " || pg_catalog.string_agg(DISTINCT o.what, ', ' ORDER BY o.what) || ')' FROM ("
          + "SELECT n.nspowner AS owner, CAST('the schema' AS text) AS what"
          + " FROM pg_catalog.pg_namespace n WHERE n.nspname = 'weir'"
          + " UNION ALL SELECT c.relowner, 'tables'"
          + " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
          + " WHERE n.nspname = 'weir' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')"
          + " UNION ALL SELECT p.proowner, 'functions'"
          + " FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace"
          + " WHERE n.nspname = 'weir'"
          + " UNION ALL SELECT p.proowner, 'functions of triggers'"
          + " FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid"
          + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
          + " JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid"
          + " WHERE n.nspname = 'weir' AND NOT t.tgisinternal) o"
          + " JOIN pg_catalog.pg_roles r ON r.oid = o.owner"
          + " JOIN pg_catalog.pg_roles own ON own.rolname = current_user"
          + " JOIN pg_catalog.pg_database d ON d.datname = pg_catalog.current_database()"
          + " WHERE o.owner <> own.oid AND o.owner <> d.datdba AND NOT r.rolsuper"
          + " AND (own.rolsuper OR NOT pg_catalog.pg_has_role(own.oid, o.owner, 'MEMBER'))"
          + " GROUP BY r.rolname ORDER BY 1 LIMIT 10";

  private SchemaOwners() {}

  /**
   * Returns such roles and what they own; in H2, where only administrators make schemas, nothing.
   */
  static List<String> strangers(Connection connection, Dialect dialect) throws SQLException {
    List<String> found = new ArrayList<>();
    if (dialect == Dialect.POSTGRESQL) {
      try (PreparedStatement statement = connection.prepareStatement(STRANGERS);
          ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(row.getString(1));
        }
      }
    }
    return found;
  }
}
