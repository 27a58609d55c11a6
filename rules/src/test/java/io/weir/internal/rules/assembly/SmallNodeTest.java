package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.OtherProcess;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A node with a heap of 256 MB follows one UPDATE of very many large rows. */
@DeepOnly
class SmallNodeTest {
  private static final int USERS = 2_000;

  @Test
  void outlivesAnUpdateOf2000UsersWith50KilobytesOfLimits() throws IOException {
    String url = PostgresServer.shared().newDatabase();
    DataSource source = PostgresServer.source(url);
    DatabaseOpener.open(source, true);
    TestSql.run(
        source,
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds)"
            + " VALUES ('free', '/api/*', 1000000, 60)",
        "INSERT INTO weir.user_tiers (user_id, tier, custom_limits) SELECT 'u' || i, 'free',"
            + " '{\"/api/*\": 1000001}' FROM generate_series(0, "
            + (USERS - 1)
            + ") i");
    Process node =
        OtherProcess.start(
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"),
            SmallNode.class,
            SmallNode.KNOWS_ALL,
            url,
            "" + USERS,
            "1000001",
            "1000002");
    try {
      TestSql.run(
          source,
          "UPDATE weir.user_tiers SET custom_limits = (SELECT '{\"/api/*\": 1000002, ' ||"
              + " string_agg('\"/another/pattern/of/requests/' || i || '\": 17', ', ') || '}'"
              + " FROM generate_series(1, 1250) i)");
      assertEquals(
          "50",
          TestSql.text(source, "SELECT max(length(custom_limits)) / 1000 FROM weir.user_tiers"));
      assertEquals(SmallNode.KNOWS_ALL, node.inputReader().readLine());
    } finally {
      node.destroyForcibly();
    }
  }
}
