package io.weir.internal.postgres;

import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.versions.RecordedClaims;
import io.weir.compat.versions.StoredRows;
import io.weir.store.LeasingStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** A node of the version before and one of this count together. */
class VersionBeforeTest {
  @Test
  void grantsAndWritesWhatThatOneWould() {
    RecordedClaims.check(VersionBeforeTest.class, new Rows());
  }

  /**
   * A table of its own. Versions of rows are random, but for the epoch, which is one. By whose time
   * it began, and how often nodes have seen it, is left out: it is that of the server.
   */
  private static final class Rows implements StoredRows {
    private static final String TABLE = "table ";
    private static final String READ_TABLE =
        """
        SELECT string_agg(attname || ' ' || format_type(atttypid, NULL)
            || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END, ', ' ORDER BY attnum)
          || ', ' || (SELECT pg_get_constraintdef(oid) FROM pg_constraint
            WHERE conrelid = 'weir_buckets'::regclass AND contype = 'p')
          || '; ' || obj_description('weir_buckets'::regclass, 'pg_class')
        FROM pg_attribute WHERE attrelid = 'weir_buckets'::regclass AND attnum > 0
        """;
    private static final String READ =
        """
        SELECT concat_ws(' ', encode(key, 'hex'),
          CASE WHEN key BETWEEN 'EPOCH' AND 'EPOCH.z' THEN version ELSE 1 END,
          CASE WHEN key BETWEEN 'EPOCH' AND 'EPOCH.z' THEN 0 ELSE expires_at END,
          encode(state, 'hex'))
        FROM weir_buckets WHERE key NOT BETWEEN 'EPOCH.' AND 'EPOCH.z' OR version = 0
        """
            .replace("EPOCH", "\\000epoch");

    private final String database = PostgresServer.shared().newDatabase();

    @Override
    public LeasingStore open(LongSupplier micros) {
      return Databases.open(database, Databases.PATIENT, new SetClock(micros));
    }

    @Override
    public List<String> read(int step) {
      List<String> rows = new ArrayList<>();
      select(READ_TABLE).forEach(each -> rows.add(TABLE + each));
      rows.addAll(select(READ));
      return rows;
    }

    private List<String> select(String sql) {
      try (Connection connection = PostgresServer.source(database).getConnection();
          Statement statement = connection.createStatement();
          ResultSet found = statement.executeQuery(sql)) {
        List<String> lines = new ArrayList<>();
        while (found.next()) {
          lines.add(found.getString(1));
        }
        return lines;
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void replace(List<String> rows) {
      StringBuilder sql = new StringBuilder("DROP TABLE IF EXISTS weir_buckets;");
      for (String row : rows) {
        if (row.startsWith(TABLE)) {
          String[] parts = row.substring(TABLE.length()).split("; ");
          sql.append("CREATE TABLE weir_buckets (" + parts[0] + ");");
          sql.append("COMMENT ON TABLE weir_buckets IS '" + parts[1] + "';");
        }
      }
      for (String row : rows) {
        if (!row.startsWith(TABLE)) {
          String[] parts = row.split(" ", -1);
          String values =
              "'\\x" + parts[0] + "', " + parts[1] + ", " + parts[2] + ", '\\x" + parts[3];
          sql.append("INSERT INTO weir_buckets VALUES (" + values + "');");
        }
      }
      Databases.run(database, sql.toString());
    }
  }
}
