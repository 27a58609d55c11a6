package io.weir.internal.rules.database.schema;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.SchemaName;
import io.weir.internal.rules.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Refuses a schema in which roles own something that nobody has trusted. They could have made it
 * before Weir did, with triggers and policies that run as Weir's role.
 *
 * <p>Immutable.
 *
 * @param trusted roles that may own parts of it, beside those that always may
 */
record SchemaOwners(SchemaName schema, Set<String> trusted) {
  /**
   * Trusted are Weir's role and those it is a member of, the owner of the database and its members,
   * and superusers. Until PostgreSQL 14 each login role may make others its members, so memberships
   * that a role has granted in itself don't count.
   */
  private static final String STRANGERS =
      "WITH RECURSIVE own (oid) AS (SELECT r.oid FROM pg_catalog.pg_roles r"
          + " WHERE r.rolname = current_user UNION SELECT m.roleid"
          + " FROM pg_catalog.pg_auth_members m JOIN own ON own.oid = m.member"
          + " WHERE m.grantor <> m.roleid)"
          + " SELECT CAST(r.rolname AS text), 'the ' || o.what, 'ALTER ' || o.target || ' OWNER TO '"
          + " || pg_catalog.quote_ident(CAST(pg_catalog.pg_get_userbyid(d.datdba) AS text))"
          + " FROM (SELECT n.nspowner AS owner, CAST('schema' AS text) AS what,"
          + " 'SCHEMA ' || pg_catalog.quote_ident(CAST(n.nspname AS text)) AS target"
          + " FROM pg_catalog.pg_namespace n WHERE n.nspname = 'weir'"
          + " UNION ALL SELECT c.relowner, 'table ' || CAST(CAST(c.oid AS regclass) AS text),"
          + " 'TABLE ' || CAST(CAST(c.oid AS regclass) AS text)"
          + " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
          + " WHERE n.nspname = 'weir' AND c.relkind IN ('r', 'p', 'v', 'm', 'f')"
          + " UNION ALL SELECT p.proowner, 'function ' || CAST(CAST(p.oid AS regproc) AS text),"
          + " 'ROUTINE ' || CAST(CAST(p.oid AS regproc) AS text)"
          + " FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace"
          + " WHERE n.nspname = 'weir'"
          + " UNION ALL SELECT p.proowner, 'function ' || CAST(CAST(p.oid AS regproc) AS text)"
          + " || ' of a trigger on ' || CAST(CAST(c.oid AS regclass) AS text),"
          + " 'ROUTINE ' || CAST(CAST(p.oid AS regproc) AS text)"
          + " FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid"
          + " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
          + " JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid AND p.pronamespace <> n.oid"
          + " WHERE n.nspname = 'weir' AND NOT t.tgisinternal) o"
          + " JOIN pg_catalog.pg_roles r ON r.oid = o.owner"
          + " JOIN pg_catalog.pg_database d ON d.datname = pg_catalog.current_database()"
          + " WHERE NOT r.rolsuper AND r.rolname <> 'pg_database_owner'"
          + " AND NOT pg_catalog.pg_has_role(o.owner, d.datdba, 'MEMBER')"
          + " AND NOT EXISTS (SELECT 1 FROM own WHERE own.oid = o.owner)"
          + " AND CAST(r.rolname AS text)"
          + " <> ALL (pg_catalog.string_to_array(CAST(? AS text), ','))"
          + " ORDER BY 1, 2 LIMIT 100";

  SchemaOwners {
    trusted = Set.copyOf(trusted);
  }

  /**
   * Refuses the schema if roles own something of it that nobody has trusted; in H2, where only
   * administrators make schemas, never.
   *
   * @throws IllegalStateException with the owners, what they own, and the SQL that mends it
   */
  void requireTrusted(Connection connection) throws SQLException {
    Dialect dialect = Dialect.of(connection);
    if (dialect != Dialect.POSTGRESQL) {
      return;
    }
    Map<String, Set<String>> owned = new TreeMap<>();
    Set<String> mends = new LinkedHashSet<>();
    Sql.of(STRANGERS, String.join(",", trusted))
        .each(
            connection,
            row -> {
              owned
                  .computeIfAbsent(row.getString(1), owner -> new LinkedHashSet<>())
                  .add(row.getString(2));
              mends.add(row.getString(3));
            });
    if (!owned.isEmpty()) {
      throw new IllegalStateException(message(dialect.role(connection), owned, mends));
    }
  }

  private String message(String role, Map<String, Set<String>> owned, Set<String> mends) {
    String owners =
        owned.entrySet().stream()
            .map(each -> each.getKey() + " owns " + String.join(", ", each.getValue()))
            .collect(Collectors.joining("; "));
    return "the schema "
        + schema.name()
        + " isn't Weir's alone: "
        + owners
        + ". That can run code as Weir's role "
        + role
        + ", so it must belong to "
        + role
        + ", to a role it is a member of, to the owner of the database or a member of that, to a"
        + " superuser, or to a role in weir.rules.owners. If you don't know its origin, drop it,"
        + " or set weir.rules.schema to another name. If it was made for Weir, name the owner in"
        + " weir.rules.owners, or look at the triggers and run as a superuser:\n"
        + String.join(";\n", mends)
        + ";";
  }
}
