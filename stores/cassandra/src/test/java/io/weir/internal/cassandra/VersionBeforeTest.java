package io.weir.internal.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.datastax.oss.driver.api.core.cql.Row;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.compat.versions.RecordedClaims;
import io.weir.compat.versions.StoredRows;
import io.weir.seeds.OneDayIn;
import io.weir.store.LeasingStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A node of the version before and one of this count together. */
@OneDayIn(2)
class VersionBeforeTest {
  @BeforeAll
  static void assumeThatItRunsHere() {
    CassandraServer.assumePresent();
  }

  @Test
  void grantsAndWritesWhatThatOneWould() {
    RecordedClaims.check(VersionBeforeTest.class, new Rows());
  }

  /** A table of its own. Nodes draw their names at random, so here each has that of its step. */
  private static final class Rows implements StoredRows {
    private static final String KEYSPACE = "versions";
    private static final String TABLE = KEYSPACE + ".weir_buckets";
    private static final String NULL = "-";

    private final CassandraServer server = CassandraServer.shared();
    private CassandraStore opened = opened(() -> 0);

    Rows() {
      opened.close();
    }

    private CassandraStore opened(LongSupplier micros) {
      String address = Servers.address(server.contactPoint()).replace(Servers.KEYSPACE, KEYSPACE);
      return Servers.open(address, Map.of(), new SetClock(micros));
    }

    @Override
    public LeasingStore open(LongSupplier micros) {
      opened = opened(micros);
      return opened;
    }

    private static UUID writer(int step) {
      return UUID.nameUUIDFromBytes(("step " + step).getBytes(UTF_8));
    }

    /** Without the columns that Cassandra counts down, and without beats, which nobody awaits. */
    @Override
    public List<String> read(int step) {
      Await.until("what wasn't granted is written back", opened::isQuiet);
      List<String> rows = new ArrayList<>();
      for (Row each :
          server.execute(
              "SELECT column_name, type, kind, position FROM system_schema.columns"
                  + " WHERE keyspace_name = ? AND table_name = 'weir_buckets'",
              KEYSPACE)) {
        rows.add("column " + each.getFormattedContents());
      }
      for (Row each :
          server.execute(
              "SELECT name, slot, writer, used, asked, raised, state, writetime(used) FROM "
                  + TABLE)) {
        String name = each.getString(0);
        if (!name.startsWith("epoch") || each.getLong(1) != 1) {
          rows.add(text(each, step));
        }
      }
      return rows;
    }

    private static String text(Row row, int step) {
      UUID writer = row.getUuid(2);
      String known =
          IntStream.range(0, step)
              .filter(each -> writer.equals(writer(each)))
              .mapToObj(String::valueOf)
              .findFirst()
              .orElse(writer.equals(LevelRows.NOBODY) ? NULL : String.valueOf(step));
      List<String> columns = new ArrayList<>(List.of(row.getString(0), "" + row.getLong(1), known));
      for (int i = 3; i < 8; i++) {
        columns.add(
            row.isNull(i)
                ? NULL
                : row.codecRegistry().codecFor(row.getType(i)).format(row.getObject(i)));
      }
      return String.join(" ", columns);
    }

    @Override
    public void replace(List<String> rows) {
      server.execute("TRUNCATE " + TABLE);
      for (String row : rows) {
        if (!row.startsWith("column ")) {
          insert(row.split(" "));
        }
      }
    }

    private void insert(String[] row) {
      UUID writer = row[2].equals(NULL) ? LevelRows.NOBODY : writer(Integer.parseInt(row[2]));
      List<String> names = List.of("used", "asked", "raised", "state");
      StringBuilder columns = new StringBuilder("name, slot, writer");
      StringBuilder values = new StringBuilder("'" + row[0] + "', " + row[1] + ", " + writer);
      for (int i = 0; i < names.size(); i++) {
        if (!row[3 + i].equals(NULL)) {
          columns.append(", ").append(names.get(i));
          values.append(", ").append(row[3 + i]);
        }
      }
      server.execute(
          "INSERT INTO "
              + TABLE
              + " ("
              + columns
              + ") VALUES ("
              + values
              + ") USING TTL 86400 AND TIMESTAMP "
              + (row[7].equals(NULL) ? "1" : row[7]));
    }
  }
}
