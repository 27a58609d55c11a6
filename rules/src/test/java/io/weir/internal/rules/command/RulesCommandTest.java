package io.weir.internal.rules.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.edit.VersionedRowEditor;
import io.weir.internal.rules.foreign.ForeignTables;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RulesCommandTest {
  private static final String FILE =
      """
      rules:
        - tier: free
          endpoint_pattern: /api/*
          limit_count: 10
          window_seconds: 60
        - tier: free
          endpoint_pattern: /api/posts
          methods: [GET, POST]
          limit_count: 5
          window_seconds: 3600
      costs:
        - endpoint: /api/search
          method: GET
          cost: 5
      """;

  @TempDir Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
  private final List<Boolean> changing = new ArrayList<>();
  private RuleDatabase database;
  private Path file;

  @BeforeEach
  void open() throws IOException {
    database =
        DatabaseOpener.open(
            JdbcConnectionPool.create(
                "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", ""),
            true);
    file = directory.resolve("rules.yaml");
    Files.writeString(file, FILE);
  }

  private int run(String... arguments) {
    out.reset();
    errors.reset();
    return new RulesCommand(
            isChanged -> {
              changing.add(isChanged);
              return new VersionedRowEditor(
                  database, new ForeignTables(database, Optional.empty()), () -> {});
            },
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(errors, true, StandardCharsets.UTF_8),
            "somebody",
            Ticker.system())
        .run(List.of(arguments));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String errors() {
    return errors.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aDryRunTellsTheDifferenceAndChangesNothing() {
    assertEquals(RulesCommand.DONE, run("apply", "--dry-run", file.toString()));
    assertTrue(out().contains("3 added, 0 changed, 0 removed, 0 unchanged"), out());
    assertTrue(out().contains("+ cost /api/search GET: cost=5"), out());
    assertEquals(List.of(), database.all(RuleTable.RULES));
  }

  @Test
  void whatIsAppliedIsExportedAndIsTheSame() throws IOException {
    assertEquals(RulesCommand.DONE, run("apply", file.toString(), "--by", "alice"));
    assertEquals(2, database.all(RuleTable.RULES).size());
    assertEquals(Optional.of("alice"), database.all(RuleTable.RULES).get(0).column("updated_by"));
    Path exported = directory.resolve("exported.yaml");
    assertEquals(RulesCommand.DONE, run("export", exported.toString()));
    assertEquals(RulesCommand.DONE, run("apply", "--dry-run", exported.toString()));
    assertTrue(out().contains("0 added, 0 changed, 0 removed, 3 unchanged"), out());
    assertEquals(RulesCommand.DONE, run("export"));
    assertEquals(Files.readString(exported), out());
  }

  @Test
  void whatDiffersIsChangedAndWhatIsNotInTheFileIsRemoved() throws IOException {
    run("apply", file.toString());
    Files.writeString(
        file,
        """
        rules:
          - tier: free
            endpoint_pattern: /api/*
            limit_count: 20
            window_seconds: 60
        """);
    assertEquals(RulesCommand.DONE, run("apply", "--dry-run", file.toString()));
    assertTrue(out().contains("limit_count 10 -> 20"), out());
    assertTrue(out().contains("0 added, 1 changed, 2 removed, 0 unchanged"), out());
    assertEquals(RulesCommand.DONE, run("apply", file.toString()));
    List<StoredRow> rules = database.all(RuleTable.RULES);
    assertEquals(1, rules.size());
    assertEquals(Optional.of("20"), rules.get(0).column("limit_count"));
    assertEquals(2, rules.get(0).version());
    assertEquals(List.of(), database.all(RuleTable.COSTS));
  }

  @Test
  void mistakesAreToldByTheirLinesAndNothingIsChanged() throws IOException {
    Files.writeString(
        file,
        """
        rules:
          - tier: free
            endpoint_pattern: /api/*
            limt_count: 10
            limit_count: 0
        switchs: []
        """);
    assertEquals(RulesCommand.FAILED, run("apply", file.toString()));
    assertTrue(errors().contains("line 4: unknown field 'limt_count'"), errors());
    assertTrue(
        errors().contains("line 6: unknown list 'switchs'; allowed are rules, costs"), errors());
    Files.writeString(
        file,
        """
        rules:
          - tier: free
            endpoint_pattern: /api/*
            limit_count: ten
            window_seconds: 60
        """);
    assertEquals(RulesCommand.FAILED, run("apply", file.toString()));
    assertTrue(errors().contains("line 4: limit_count"), errors());
    assertEquals(List.of(), database.all(RuleTable.RULES));
  }

  @Test
  void whatCannotHoldTogetherIsToldByItsLineToo() throws IOException {
    Files.writeString(
        file,
        """
        rules:
          - tier: free
            endpoint_pattern: /api/*
            limit_count: 10
            window_seconds: 60
          - tier: free
            endpoint_pattern: /api/posts
            limit_count: 10
            window_seconds: 60
            refill: 5
        """);
    assertEquals(RulesCommand.FAILED, run("apply", file.toString()));
    assertTrue(errors().startsWith("line 6: "), errors());
    assertTrue(errors().contains("refill"), errors());
  }

  @Test
  void oneRuleTwiceIsAMistake() throws IOException {
    Files.writeString(
        file,
        """
        rules:
          - {tier: free, endpoint_pattern: /api, limit_count: 10, window_seconds: 60}
          - {tier: free, endpoint_pattern: /api, limit_count: 20, window_seconds: 60}
        """);
    assertEquals(RulesCommand.FAILED, run("apply", file.toString()));
    assertTrue(errors().contains("line 3: api-60s of free is also on line 2"), errors());
  }

  @Test
  void onlyWhatChangesRulesMayMakeTables() throws IOException {
    run("export");
    run("apply", "--dry-run", file.toString());
    run("apply", file.toString());
    assertEquals(List.of(false, false, true), changing);
    Properties system = new Properties();
    assertTrue(CommandSettings.read(system, Map.of()).mayMigrate());
    system.setProperty("weir.rules.migrate", "false");
    assertFalse(CommandSettings.read(system, Map.of()).mayMigrate());
  }

  @Test
  void aFileWithoutRulesIsRefusedUnlessItSaysSo() throws IOException {
    run("apply", file.toString());
    for (String text : List.of("", "# none\n", "---\n", "{}", "costs: []", "rules:\n")) {
      Files.writeString(file, text);
      assertEquals(RulesCommand.FAILED, run("apply", file.toString()), text);
      assertTrue(errors().contains("rules: []"), errors());
    }
    assertEquals(2, database.all(RuleTable.RULES).size());
    Files.writeString(file, "rules: []");
    assertEquals(RulesCommand.DONE, run("apply", file.toString()));
    assertEquals(List.of(), database.all(RuleTable.RULES));
    assertEquals(RulesCommand.DONE, run("export", file.toString()));
    assertEquals(RulesCommand.DONE, run("apply", file.toString()), "of an empty rulebook");
  }

  @Test
  void rulesThatHoldOneAfterTheOtherOrAreTriedGoOutAndComeIn() throws IOException {
    String rule = "  - {tier: free, endpoint_pattern: /api, window_seconds: 60, limit_count: ";
    Files.writeString(
        file,
        "rules:\n"
            + (rule + "10, valid_until: '2027-01-01T00:00:00Z'}\n")
            + (rule + "20, valid_from: '2027-01-01T00:00:00Z'}\n")
            + (rule + "30, state: SHADOW}\n"));
    assertEquals(RulesCommand.DONE, run("apply", file.toString()), this::errors);
    assertEquals(RulesCommand.DONE, run("export", file.toString()));
    assertEquals(RulesCommand.DONE, run("apply", "--dry-run", file.toString()), this::errors);
    assertTrue(out().contains("0 added, 0 changed, 0 removed, 3 unchanged"), out());
    String text = Files.readString(file).replace("limit_count: 20", "limit_count: 25");
    Files.writeString(file, text);
    assertEquals(RulesCommand.DONE, run("apply", file.toString()));
    assertTrue(out().contains("limit_count 20 -> 25"), out());
    assertTrue(out().contains("0 added, 1 changed, 0 removed, 2 unchanged"), out());
    Files.writeString(file, text.replace("2027-01-01T00:00:00Z", "2027-02-01T00:00:00Z"));
    assertEquals(RulesCommand.DONE, run("apply", file.toString()));
    assertEquals(3, database.all(RuleTable.RULES).size());
  }

  @Test
  void brokenAndHostileFilesAreMistakes() throws IOException {
    for (String text :
        List.of(
            "rules: [",
            "rules: {}",
            "- 1",
            "rules:\n  - !!javax.script.ScriptEngineManager [1]",
            "a: &a [1]\nrules: [*a, *a]",
            "rules:\n  - tier: free\n    tier: free",
            "rules:\n  - tier: {a: b}")) {
      Files.writeString(file, text);
      assertEquals(RulesCommand.FAILED, run("apply", file.toString()), text);
      assertTrue(errors().contains("line "), errors());
    }
    Files.writeString(file, "rules:\n  - tier: free\n    endpoint_pattern: \"\\xZ\"");
    assertEquals(RulesCommand.FAILED, run("apply", file.toString()));
    assertEquals(RulesCommand.FAILED, run("apply", directory.resolve("none.yaml").toString()));
  }

  @Test
  void aRowThatCannotBeReadIsToldAndStays() {
    database.insert(
        RuleTable.RULES,
        Map.of(
            "tier", "free",
            "endpoint_pattern", "/bad",
            "limit_count", "1",
            "window_seconds", "60",
            "mode", "NO_SUCH"),
        "alice");
    assertEquals(RulesCommand.DONE, run("apply", file.toString()));
    assertTrue(out().contains("! rate_limit_rules 1 can't be read, and is left unchanged"), out());
    assertEquals(3, database.all(RuleTable.RULES).size());
  }

  @Test
  void entriesOfTheAccessListAreAddedListedAndLifted() {
    assertEquals(RulesCommand.DONE, run("deny", "--dry-run", "203.0.113.0/24"));
    assertEquals("+ deny ip:203.0.113.0/24", out().strip());
    assertEquals(List.of(), database.all(RuleTable.ENTRIES));
    String[] added = {"deny", "203.0.113.0/24", "shadow", "reason=a", "scraper", "--by", "alice"};
    assertEquals(RulesCommand.DONE, run(added));
    StoredRow row = database.all(RuleTable.ENTRIES).get(0);
    assertEquals(Optional.of("alice"), row.column("updated_by"));
    assertEquals(Optional.of("a scraper"), row.column("reason"));
    run("allow", "user:ann lee", "counted", "until=2020-01-01T00:00:00Z");
    assertTrue(out().startsWith("access_list a new row, valid_until: the entry has ended"), out());
    assertEquals(RulesCommand.DONE, run("entries"));
    assertEquals(
        "allow \"user:ann lee\" counted until=2020-01-01T00:00:00Z\n"
            + "deny ip:203.0.113.0/24 shadow reason=a scraper",
        out().strip());
    assertEquals(RulesCommand.DONE, run("lift", "user:ann lee", "--dry-run"));
    assertEquals(2, database.all(RuleTable.ENTRIES).size());
    assertEquals(RulesCommand.DONE, run("lift", "ip:203.0.113.0/24", "--by", "bob"));
    assertTrue(out().startsWith("- deny ip:203.0.113.0/24"), out());
    assertEquals("bob", database.changesOf("access_list", row.key()).get(0).by());
    assertEquals(1, database.all(RuleTable.ENTRIES).size());
    assertEquals(RulesCommand.DONE, run("lift", "203.0.113.0/24"));
    assertEquals("no entry has the subject ip:203.0.113.0/24", out().strip());
    assertEquals(List.of(false, true, true, false, false, true, true), changing);
  }

  @Test
  void bansAreListedAndLifted() {
    String subject = "policy:login:ip:203.0.113.7,user:" + "a".repeat(500);
    database.insert(
        RuleTable.ENTRIES,
        Map.of(
            "action", "BAN",
            "subject", subject,
            "valid_until", "2099-01-01T00:00:00Z",
            "policy", "login",
            "ban_key", "sha256:1",
            "ban_number", "1"),
        "weir");
    run("deny", "user:eve");
    assertEquals(RulesCommand.DONE, run("entries"));
    assertEquals("deny user:eve\nban " + subject + " until=2099-01-01T00:00:00Z", out().strip());
    assertEquals(RulesCommand.DONE, run("lift", subject, "--by", "bob"));
    assertEquals("- ban " + subject + " until=2099-01-01T00:00:00Z", out().strip());
    assertEquals("bob", database.changesOf("access_list", "1").get(0).by());
    run("entries");
    assertEquals("deny user:eve", out().strip());
    assertEquals(RulesCommand.MISUSED, run("deny", subject), "only bans are of a policy");
  }

  @Test
  void whoMistypesIsTold() {
    for (List<String> wrong :
        List.of(
            List.<String>of(),
            List.of("import"),
            List.of("apply"),
            List.of("apply", "a", "b"),
            List.of("apply", "a", "--by"),
            List.of("apply", "--dry"),
            List.of("deny"),
            List.of("deny", "nobody"),
            List.of("deny", "203.0.113.7", "counted"),
            List.of("lift", "0.0.0.0/0"),
            List.of("lift", "a", "b"),
            List.of("entries", "a"),
            List.of("export", "a", "b"))) {
      assertEquals(RulesCommand.MISUSED, run(wrong.toArray(new String[0])), wrong.toString());
      assertTrue(errors().contains("export [FILE]"), errors());
    }
  }

  @Test
  void theDatabaseIsFoundInPropertiesThenEnvironmentThenFile() throws IOException {
    Path config = directory.resolve("weir.properties");
    Files.writeString(config, "weir.rules=jdbc:file\nweir.rules.user=file\n");
    Properties system = new Properties();
    system.setProperty("weir.config", config.toString());
    assertEquals("jdbc:file", CommandSettings.read(system, Map.of()).database().url());
    Map<String, String> environment = Map.of("WEIR_RULES", "jdbc:environment");
    assertEquals("jdbc:environment", CommandSettings.read(system, environment).database().url());
    system.setProperty("weir.rules", "jdbc:system");
    assertEquals("jdbc:system", CommandSettings.read(system, environment).database().url());
    assertEquals("file", CommandSettings.read(system, environment).database().user());
  }
}
