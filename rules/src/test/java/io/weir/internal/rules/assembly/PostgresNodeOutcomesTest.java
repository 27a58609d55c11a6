package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.rules.database.OtherProcess;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.rules.NodeStatus;
import io.weir.rules.Rule;
import io.weir.rules.outcome.CurrentOutcomes;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.RunOneIn;
import io.weir.test.log.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The contract that {@link H2NodeOutcomesTest} runs whole in every build, on PostgreSQL. */
@OneDayIn(3)
@RunOneIn(5)
class PostgresNodeOutcomesTest extends NodeOutcomesContract {
  private static final int REPORTS = 20;
  private static final List<Long> NONE = List.of(0L, 0L, 0L, 0L);

  private String url = "";

  @Override
  DataSource fresh() {
    url = PostgresServer.shared().newDatabase();
    return PostgresServer.source(url);
  }

  @Test
  void whileTheDatabaseIsAwayNoRequestWaitsAndAfterwardsNoHourLacksAnything() {
    try (PostgresServer server = PostgresServer.start()) {
      DataSource source = PostgresServer.source(server.newDatabase());
      DefaultRules node =
          node("one", () -> DatabaseOpener.open(source, true, Duration.ofSeconds(5)), true);
      rule(node, Rule.builder("free", "/busy").name("busy").limit(1_000_000).build());
      send(node, "/busy", 100);
      RulesContract.await(
          "it is written", () -> hours(node).equals(Map.of("busy", List.of(100L, 0L, 0L, 0L))));
      server.stop();
      assertTimeoutPreemptively(Duration.ofSeconds(60), () -> send(node, "/busy", 20_000));
      server.restart();
      RulesContract.await(
          "it is written again",
          () -> {
            try {
              return hours(node).equals(Map.of("busy", List.of(20_100L, 0L, 0L, 0L)));
            } catch (RulesUnavailableException starting) {
              return false;
            }
          });
      RulesContract.await("it is reported again", () -> names(node).equals(List.of("one")));
      RulesContract.await(
          "with its totals", () -> node.nodes().current().get(0).admitted() == 20_100);
    }
  }

  @Test
  void awayAtTheStartANodeReportsOnceTheDatabaseIsReached() {
    try (PostgresServer server = PostgresServer.start()) {
      DataSource source = PostgresServer.source(server.newDatabase());
      server.stop();
      DefaultRules node = node("one", () -> DatabaseOpener.open(source, true), true);
      server.restart();
      RulesContract.await(
          "it is reported",
          () -> {
            try {
              return names(node).equals(List.of("one"));
            } catch (RulesUnavailableException starting) {
              return false;
            }
          });
    }
  }

  @Test
  void aKilledProcessIsSilentAndThenGoneAndItsSuccessorTakesItsName() throws Exception {
    DefaultRules here = node("here");
    Process other = other();
    try {
      assertEquals(List.of("here", "other"), names(here));
      other.destroyForcibly().waitFor();
      assertEquals(List.of("here", "other"), names(here), "it couldn't say farewell");
      RulesContract.await(
          "it is silent",
          () -> {
            // Again and again, as its last report may still be on its way to the table.
            sql(
                "UPDATE weir.weir_nodes SET seen_at = CURRENT_TIMESTAMP - interval '20 s'"
                    + " WHERE node = 'other'");
            CurrentOutcomes now = here.outcomes().current();
            return now.nodes() == 1 && now.silentNodes() == 1;
          });
      sql("UPDATE weir.weir_nodes SET seen_at = seen_at - interval '60 s' WHERE node = 'other'");
      assertEquals(0, here.outcomes().current().silentNodes());
      assertEquals(List.of("here"), names(here));
    } finally {
      other.destroyForcibly();
    }
    DefaultRules successor = node("other");
    RulesContract.await(
        "the name is in use again", () -> names(successor).equals(List.of("here", "other")));
    assertTrue(here.outcomes().current().isComplete());
  }

  @Test
  void aRoleThatMayOnlyReadIsToldOnceAndTheGrantOfTheDocsIsEnough() throws Exception {
    DefaultRules owner = node("owner");
    rule(owner, Rule.builder("free", "/busy").name("busy").limit(1_000_000).build());
    String role = "app_of_" + url.replaceAll(".*/(\\w+)\\?.*", "$1");
    sql("CREATE ROLE " + role + " LOGIN");
    sql("GRANT USAGE ON SCHEMA weir TO " + role);
    sql("GRANT SELECT ON ALL TABLES IN SCHEMA weir TO " + role);
    DataSource limited = PostgresServer.source(url.replace("user=postgres", "user=" + role));
    try (LogLines log = new LogLines()) {
      DefaultRules app = node("app", () -> DatabaseOpener.open(limited, true), true);
      for (long sent = 1; sent <= REPORTS; sent++) {
        long expected = sent;
        send(app, "/busy", 1);
        RulesContract.await(
            "it is in the node's own list",
            () -> own(app).filter(each -> each.admitted() == expected).isPresent());
      }
      NodeStatus status = own(app).orElseThrow();
      assertFalse(status.mayWrite());
      assertTrue(status.note().orElseThrow().contains("may not write weir_nodes"));
      assertFalse(app.outcomes().current().isComplete());
      assertEquals(List.of("owner"), names(owner));
      assertEquals(1, log.containing("may not write weir_nodes").size());
      assertTrue(log.lines().size() < REPORTS, () -> String.join("\n", log.lines()));

      sql(grantOfTheDocs().replace(" app;", " " + role));
      RulesContract.await("it is reported", () -> names(owner).equals(List.of("app", "owner")));
      RulesContract.await("it knows", () -> own(app).filter(NodeStatus::mayWrite).isPresent());
      DefaultRules later = node("later", () -> DatabaseOpener.open(limited, true), true);
      send(later, "/busy", 3);
      RulesContract.await(
          "it is written", () -> hours(owner).getOrDefault("busy", NONE).get(0) == 3);
      assertTrue(later.outcomes().current().note().isEmpty());
    }
  }

  private static Optional<NodeStatus> own(DefaultRules app) {
    return app.nodes().current().stream().filter(each -> each.node().equals("app")).findFirst();
  }

  /** Returns the statement below "A role that may not write" of the page about usage. */
  private static String grantOfTheDocs() throws IOException {
    String page = Files.readString(Path.of("../docs/usage.md"));
    Matcher grant =
        Pattern.compile("(?m)^GRANT [^;]*ON weir.weir_nodes, weir.weir_outcomes_hourly TO app;$")
            .matcher(page);
    assertTrue(grant.find());
    return grant.group();
  }

  private void sql(String sql) {
    TestSql.run(PostgresServer.source(url), sql);
  }

  private Process other() throws Exception {
    return OtherProcess.start(OutcomesNode.class, OutcomesNode.IS_REPORTED, url, "other");
  }
}
