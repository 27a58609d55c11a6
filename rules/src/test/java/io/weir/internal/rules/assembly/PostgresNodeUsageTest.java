package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.rules.Rule;
import io.weir.rules.usage.DroppedUsage;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The contract that {@link H2NodeUsageTest} runs whole in every build, on PostgreSQL. */
@OneDayIn(3)
@RunOneIn(5)
class PostgresNodeUsageTest extends NodeUsageContract {
  @Override
  DataSource fresh() {
    return PostgresServer.source(PostgresServer.shared().newDatabase());
  }

  @Test
  void whileTheDatabaseIsFrozenNoRequestWaitsAndAfterwardsNothingIsMissing() {
    try (PostgresServer server = PostgresServer.start()) {
      DataSource source = PostgresServer.source(server.newDatabase());
      DefaultRules rules =
          node(
              () -> DatabaseOpener.open(source, true, Duration.ofMillis(500)),
              Duration.ofMillis(100));
      rules.rules().save(Rule.builder("free", "/api/*").limit(1_000_000).build(), "test");
      send(rules, "ann", 100);
      RulesContract.await("it is written", () -> rules.usage().total("ann").requests() == 100);
      server.freeze();
      assertTimeoutPreemptively(Duration.ofSeconds(60), () -> send(rules, "ann", 20_000));
      server.thaw();
      RulesContract.await(
          "it is written, or dropped and reported",
          () -> {
            DroppedUsage dropped = rules.usage().dropped();
            return rules.usage().total("ann").requests() + dropped.requests() >= 20_100;
          });
      assertEquals(20_100, rules.usage().total("ann").requests());
      assertTrue(rules.usage().dropped().requests() <= 20_000, "at most one write without answer");

      server.freeze();
      send(rules, "ann", 10);
      assertTimeoutPreemptively(Duration.ofSeconds(30), rules::close);
      server.thaw();
    }
  }
}
