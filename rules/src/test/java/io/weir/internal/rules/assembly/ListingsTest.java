package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Policy;
import io.weir.internal.rules.database.H2MemoryTest;
import io.weir.internal.rules.database.TestSql;
import io.weir.internal.rules.rulebook.Compiling;
import io.weir.internal.rules.rulebook.EpochMicros;
import io.weir.rules.OperationCost;
import io.weir.rules.PolicySwitch;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.Rules;
import io.weir.rules.SwitchState;
import io.weir.rules.access.AccessToken;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listings have an order that doesn't depend on when a row was written. */
class ListingsTest {
  private final DataSource source = H2MemoryTest.memory();
  private final Rules rules = Rules.builder(source).build();

  @AfterEach
  void close() {
    rules.close();
  }

  private void save(String tier, String pattern, long seconds, String name) {
    rules
        .rules()
        .save(
            Rule.builder(tier, pattern)
                .name(name)
                .limit(10)
                .window(RuleWindow.ofSeconds(seconds))
                .build(),
            "root");
  }

  @Test
  void rulesAreListedByTierPatternWindowAndId() {
    save("gold", "/a", 60, "last");
    save("free", "/b", 60, "fifth");
    save("free", "/a", 3_600, "fourth");
    save("free", "/a", 60, "second");
    save("free", "/a", 60, "third");
    save("*", "/b", 60, "first");
    assertEquals(
        List.of("first", "second", "third", "fourth", "fifth", "last"),
        rules.rules().all().stream().map(Rule::name).toList());
  }

  @Test
  void costsAreListedByEndpointAndMethod() {
    for (String each : List.of("/b GET", "/a POST", "/a GET")) {
      String[] words = each.split(" ");
      rules.costs().save(new OperationCost(0, words[0], words[1], 2, 0), "root");
    }
    assertEquals(
        List.of("/a GET", "/a POST", "/b GET"),
        rules.costs().all().stream().map(each -> each.endpoint() + " " + each.method()).toList());
  }

  @Test
  void tokensAreListedInTheOrderInWhichTheyWereMade() {
    for (String name : List.of("a", "b", "c", "d")) {
      rules.tokens().create(name, "user", Optional.of("ann"), Optional.empty(), "root");
    }
    TestSql.run(
        source,
        "UPDATE weir.weir_access_tokens SET created_at = TIMESTAMP '2026-01-04 00:00:00'"
            + " - CASE name WHEN 'a' THEN INTERVAL '1' DAY WHEN 'b' THEN INTERVAL '3' DAY"
            + " ELSE INTERVAL '2' DAY END");
    List<AccessToken> all = rules.tokens().all();
    assertEquals("b", all.get(0).name());
    assertEquals("a", all.get(3).name());
    List<String> together = all.subList(1, 3).stream().map(AccessToken::id).toList();
    assertEquals(together.stream().sorted().toList(), together, "of one moment by their ids");
  }

  @Test
  void policiesAreListedByNameTheBoundOnesFirst() {
    Instant now = Instant.parse("2026-06-01T00:00:00Z");
    Compiling book =
        Compiling.of(
                Rule.builder("gold", "/x").name("m").limit(1).build(),
                Rule.builder("free", "/x").name("m").limit(1).build(),
                Rule.builder("free", "/y").name("a").limit(1).build())
            .bound(policy("z"))
            .bound(policy("b"));
    assertEquals(
        List.of("b", "z", "a free", "m free", "m gold"),
        PolicyListing.of(book.rulebook(), EpochMicros.of(now)).stream()
            .map(
                each ->
                    each.policy().name() + each.rule().map(rule -> " " + rule.tier()).orElse(""))
            .toList());
  }

  private static Policy policy(String name) {
    return Policy.builder(name).limit(1).window(Duration.ofMinutes(1)).build();
  }

  @Test
  void switchesAreListedByPolicy() {
    Instant end = Instant.now().plusSeconds(3_600);
    for (String policy : List.of("c", "a", "b")) {
      rules.switches().set(new PolicySwitch(policy, SwitchState.OFF, end, "because", "root"));
    }
    assertEquals(
        List.of("a", "b", "c"), rules.switches().all().stream().map(PolicySwitch::policy).toList());
  }
}
