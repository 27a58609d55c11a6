package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.internal.rules.database.H2MemoryTest;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.SwitchState;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.test.log.LogLines;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names in rows that name nothing: a tier without limits, a switch without a policy. */
class UnknownNamesTest {
  private final DataSource database = H2MemoryTest.memory();
  private final DefaultRules rules =
      DefaultRules.open(
          () -> DatabaseOpener.open(database, true),
          () -> {},
          new RulesOptions(
              CallerSettings::of,
              Duration.ofSeconds(5),
              100,
              Optional.empty(),
              true,
              Duration.ofSeconds(10),
              UsageOptions.USUAL,
              RulesOptions.USUAL_ANOMALIES));

  static class Search {
    @RateLimit(limit = 3, window = 60, name = "searches")
    public void search() {}

    @RateLimit(limit = 3, window = 60, name = "plain")
    public void plain() {}
  }

  @AfterEach
  void close() {
    rules.close();
  }

  private List<String> problems() {
    return rules.problems().stream().map(RuleProblem::toString).toList();
  }

  private void flip(String policy) {
    Instant soon = Instant.now().plus(1, ChronoUnit.HOURS);
    rules.switches().set(new PolicySwitch(policy, SwitchState.OFF, soon, "a test", "bob"));
  }

  @Test
  void aTierThatNoRuleKnowsIsReportedWhenItsRowIsWritten() throws SQLException {
    rules.rules().save(Rule.builder("golden", "/api/posts").limit(3).build(), "alice");
    try (LogLines log = new LogLines("io.weir");
        Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO weir.user_tiers (user_id, tier) VALUES ('ann', 'golden')");
      rules.refresh();
      assertEquals(List.of(), problems());

      statement.execute("INSERT INTO weir.user_tiers (user_id, tier) VALUES ('bob', 'gold')");
      rules.refresh();
      String problem =
          ", tier: no rule or @Tier has 'gold': only rules of * and own limits apply;"
              + " case matters; did you mean golden?";
      assertEquals(1, problems().size(), problems()::toString);
      assertTrue(problems().get(0).endsWith(problem), problems()::toString);
      assertTrue(rules.problems().get(0).isWarning());
      assertEquals(1, log.containing(problem).size(), log.lines()::toString);
      assertEquals(List.of(), log.containing("bob"));

      statement.execute("UPDATE weir.user_tiers SET tier = 'golden' WHERE user_id = 'bob'");
      rules.refresh();
      assertEquals(List.of(), problems());
    }
  }

  @Test
  void aTierThatComesWithItsFirstRuleIsKnown() {
    try (LogLines log = new LogLines("io.weir")) {
      UserTier early = UserTier.of("ann", "free");
      assertTrue(rules.users().check(early).get(0).isWarning());
      rules.users().save(early, "alice");
      assertEquals(1, problems().size(), problems()::toString);
      rules.rules().save(Rule.builder("free", "/api/posts").limit(3).build(), "alice");
      assertEquals(List.of(), rules.users().check(early));
      assertEquals(List.of(), problems());
      assertEquals(1, log.warnings().size(), log.lines()::toString);
    }
  }

  @Test
  void aSwitchForAPolicyThatDoesNotExistIsReportedOnceTheApplicationHasStarted() {
    rules.rules().save(Rule.builder("free", "/api/posts").limit(3).build(), "alice");
    rules.rules().save(Rule.builder("free", "/api/*").limit(3).build(), "alice");
    flip("api.post-60s");
    flip("api.all-60s");
    flip("searches");
    flip("api.posts-60s");
    flip(PolicySwitch.ALL);
    try (LogLines log = new LogLines("io.weir");
        Weir weir = Weir.builder().onlyGivenSettings().policySource(rules.policySource()).build();
        Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir))) {
      rules.refresh();
      assertEquals(List.of(), problems(), "the application may bind them yet");
      adapter.check(List.of(Search.class), EndpointType.METHOD);
      for (int i = 0; i < 20; i++) {
        rules.refresh();
      }
      String all =
          rules.rules().all().stream()
              .map(Rule::name)
              .filter(each -> each.startsWith("api.all-60s-"))
              .findFirst()
              .orElseThrow();
      String unknown =
          ", policy: isn't the name of a rule, or of a policy of an annotation or setting that this"
              + " application has bound so far (one made in code isn't looked for); did you mean ";
      assertEquals(
          List.of(
              "switches api.all-60s" + unknown + all + "?",
              "switches api.post-60s" + unknown + "api.posts-60s?"),
          problems().stream().sorted().toList());
      assertEquals(2, log.containing(unknown).size(), log.lines()::toString);

      rules.switches().end("api.all-60s", "bob");
      rules.switches().end("api.post-60s", "bob");
      assertEquals(List.of(), problems());
    }
  }

  @Test
  void aRuleForAPolicyThatDoesNotExistIsReportedOnceTheApplicationHasStarted() {
    rules.rules().save(Rule.builder("free", "policy:searches").limit(3).build(), "alice");
    rules.rules().save(Rule.builder("free", "policy:searchs").limit(3).build(), "alice");
    try (Weir weir = Weir.builder().onlyGivenSettings().policySource(rules.policySource()).build();
        Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir))) {
      adapter.check(List.of(Search.class), EndpointType.METHOD);
      for (int i = 0; i < 21; i++) {
        rules.refresh();
      }
      assertEquals(1, problems().size(), problems()::toString);
      assertTrue(
          problems()
              .get(0)
              .endsWith(
                  ", endpoint_pattern: names no policy of an annotation or setting that this"
                      + " application has bound so far (one made in code isn't looked for); did you"
                      + " mean policy:searches?"),
          problems()::toString);
      assertTrue(rules.problems().get(0).isWarning());
    }
  }

  @Test
  void anOwnLimitForAPolicyThatDoesNotExistIsReportedOnceTheApplicationHasStarted() {
    rules.rules().save(Rule.builder("free", "/api/posts").limit(3).build(), "alice");
    rules.rules().save(Rule.builder("free", "policy:searches").limit(3).build(), "alice");
    List<OwnLimit> limits = new ArrayList<>();
    for (String each : List.of("/api/posts", "policy:searches", "policy:plain", "policy:plane")) {
      limits.add(new OwnLimit(each, 5, Optional.empty()));
    }
    try (LogLines log = new LogLines("io.weir");
        Weir weir = Weir.builder().onlyGivenSettings().policySource(rules.policySource()).build();
        Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir))) {
      rules.users().save(with("ann", limits), "alice");
      for (int i = 0; i < 25; i++) {
        limits.add(new OwnLimit("policy:zoo" + i, 5, Optional.empty())); // too many to keep
      }
      rules.users().save(with("bob", limits), "alice");
      assertEquals(List.of(), problems(), "the application may bind them yet");
      adapter.check(List.of(Search.class), EndpointType.METHOD);
      for (int i = 0; i < 20; i++) {
        rules.refresh();
      }
      String unknown =
          ", custom_limits: 'policy:plane' names no policy of an annotation or setting that this"
              + " application has bound so far (one made in code isn't looked for); did you mean"
              + " policy:plain?";
      assertEquals(22, problems().size(), problems()::toString);
      assertEquals(
          2, problems().stream().filter(each -> each.endsWith(unknown)).count(), "of two users");
      assertEquals(
          1, problems().stream().filter(each -> each.endsWith("has 6 further problems")).count());
      assertTrue(rules.problems().stream().allMatch(RuleProblem::isWarning));
      assertEquals(2, log.containing(unknown).size(), log.lines()::toString);
    }
  }

  private static UserTier with(String user, List<OwnLimit> limits) {
    return new UserTier(user, "free", limits, UserState.ENFORCED, Optional.empty(), 0);
  }
}
