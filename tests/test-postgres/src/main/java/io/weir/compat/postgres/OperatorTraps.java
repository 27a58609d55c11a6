package io.weir.compat.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Finds SQL that PostgreSQL only understands by converting: its arguments have other types than any
 * operator or function of PostgreSQL itself. Whoever may create in a schema of the search path can
 * make one that fits better, and runs as the user of that SQL.
 *
 * <p>Each trap is such an operator or function. It fails with a message that names it.
 */
public final class OperatorTraps {
  /** The first word of each trap. */
  public static final String MARK = "weir_trap";

  private static final List<String> TYPES =
      List.of(
          "int2",
          "int4",
          "int8",
          "numeric",
          "float8",
          "text",
          "varchar",
          "bpchar",
          "name",
          "\"char\"",
          "bytea",
          "bool",
          "timestamptz",
          "timestamp",
          "date",
          "interval",
          "oid",
          "regclass",
          "jsonb");

  /** Those that SQL of the modules calls with arguments that might be converted. */
  private static final List<String> FUNCTIONS =
      List.of(
          "lower",
          "upper",
          "length",
          "octet_length",
          "char_length",
          "left",
          "right",
          "md5",
          "sha256",
          "btrim",
          "abs",
          "round",
          "floor",
          "ceil",
          "mod",
          "sum",
          "avg",
          "max",
          "min",
          "to_regclass",
          "to_timestamp",
          "date_trunc",
          "to_char",
          "quote_ident",
          "encode",
          "decode",
          "starts_with",
          "strpos",
          "hashtext",
          "pg_advisory_xact_lock",
          "has_table_privilege",
          "has_schema_privilege",
          "obj_description",
          "set_config",
          "current_setting",
          "int8send",
          "format",
          "concat");

  private OperatorTraps() {}

  /**
   * Sets the traps beside PostgreSQL's own operators, so that none is hidden by a search path.
   *
   * @param url a database, with a superuser
   * @return the number of traps
   */
  public static long set(String url) {
    return set(url, "pg_catalog");
  }

  /**
   * Sets the traps in a schema.
   *
   * @param url a database, with a user that may create there
   * @param schema the schema
   * @return the number of traps
   */
  public static long set(String url, String schema) {
    try (Connection connection = PostgresServer.source(url).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          SCRIPT
              .replace("TYPES", quoted(TYPES))
              .replace("FUNCTIONS", quoted(FUNCTIONS))
              .replace("MARK", MARK)
              .replace("SCHEMA", schema));
      try (ResultSet row =
          statement.executeQuery(
              "SELECT count(*) FROM pg_catalog.pg_proc"
                  + " WHERE pg_catalog.strpos(prosrc, '"
                  + MARK
                  + "'::pg_catalog.text) > 0")) {
        row.next();
        return row.getLong(1);
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static String quoted(List<String> words) {
    return words.stream().collect(Collectors.joining("','", "ARRAY['", "']::pg_catalog.text[]"));
  }

  /** Looks for all of them first: the traps would strike the search itself. */
  private static final String SCRIPT =
      """
      SET search_path = pg_catalog;
      DO $script$
      DECLARE
        types text[] := TYPES;
        made text[] := '{}';
        word text;
        l text;
        r text;
        args text;
        result text;
        body text;
        fn text;
      BEGIN
        FOR word IN
          SELECT DISTINCT oprname FROM pg_operator WHERE oprkind = 'b'
            AND oprname IN ('=', '<>', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '||', '~~',
              '!~~', '~~*', '~', '->>', '->', '@>', '^')
        LOOP
          FOREACH l IN ARRAY types LOOP
            FOREACH r IN ARRAY types LOOP
              CONTINUE WHEN to_regoperator(word || '(' || l || ',' || r || ')') IS NOT NULL;
              BEGIN
                EXECUTE 'SELECT pg_typeof(x)::text FROM (SELECT NULL::' || l || ' ' || word
                  || ' NULL::' || r || ' AS x) y' INTO result;
              EXCEPTION WHEN syntax_error_or_access_rule_violation OR data_exception THEN
                CONTINUE;
              END;
              fn := 'SCHEMA.MARK_' || (cardinality(made) + 1)::text;
              args := '(' || l || ',' || r || ')';
              body := quote_literal('MARK: ' || l || ' ' || replace(word, '%', '%%') || ' ' || r);
              made := made || (
                'CREATE FUNCTION ' || fn || args || ' RETURNS ' || result || ' LANGUAGE plpgsql'
                || ' AS $f$ BEGIN RAISE EXCEPTION ' || body || '; END $f$; REVOKE ALL ON FUNCTION '
                || fn || args || ' FROM PUBLIC; CREATE OPERATOR SCHEMA.' || word || ' (LEFTARG = '
                || l || ', RIGHTARG = ' || r || ', FUNCTION = ' || fn || ')');
            END LOOP;
          END LOOP;
        END LOOP;
        FOREACH word IN ARRAY FUNCTIONS LOOP
          FOREACH l IN ARRAY types LOOP
            FOREACH r IN ARRAY types || ''::text LOOP
              args := '(' || l || CASE WHEN r = '' THEN '' ELSE ',' || r END || ')';
              CONTINUE WHEN to_regprocedure('"' || word || '"' || args) IS NOT NULL;
              BEGIN
                EXECUTE 'SELECT pg_typeof(x)::text FROM (SELECT "' || word || '"(NULL::' || l
                  || CASE WHEN r = '' THEN '' ELSE ', NULL::' || r END || ') AS x) y' INTO result;
              EXCEPTION WHEN syntax_error_or_access_rule_violation OR data_exception
                  OR object_not_in_prerequisite_state THEN
                CONTINUE;
              END;
              fn := 'SCHEMA."' || word || '"' || args;
              made := made || (
                'CREATE FUNCTION ' || fn || ' RETURNS ' || result || ' LANGUAGE plpgsql'
                || ' AS $f$ BEGIN RAISE EXCEPTION ' || quote_literal('MARK: ' || word || args)
                || '; END $f$; REVOKE ALL ON FUNCTION ' || fn || ' FROM PUBLIC');
            END LOOP;
          END LOOP;
        END LOOP;
        FOREACH word IN ARRAY made LOOP
          BEGIN
            EXECUTE word;
          EXCEPTION WHEN invalid_function_definition OR wrong_object_type THEN
            NULL;
          END;
        END LOOP;
      END $script$
      """;
}
