package io.weir.internal.rules.assembly;

import static io.weir.spi.DecisionPhase.AFTER_AUTHENTICATION;
import static io.weir.spi.DecisionPhase.BEFORE_AUTHENTICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Outcome;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.adapter.EndpointType;
import io.weir.annotation.By;
import io.weir.annotation.Mode;
import io.weir.annotation.RateLimit;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.maintenance.RetentionPeriods;
import io.weir.internal.rules.request.CallerSettings;
import io.weir.metrics.DecisionCounts;
import io.weir.rules.NodeStatus;
import io.weir.rules.Rule;
import io.weir.rules.RuleState;
import io.weir.rules.outcome.CurrentOutcomes;
import io.weir.rules.outcome.HourlyOutcomes;
import io.weir.rules.outcome.PolicyRates;
import io.weir.testkit.FakeRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Outcomes from requests to the sums of all nodes, over applications with rules. */
abstract class NodeOutcomesContract {
  private static final Instant EARLY = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant LATE = Instant.parse("2100-01-01T00:00:00Z");
  private static final Duration OFTEN = Duration.ofMillis(200);

  private final List<AutoCloseable> open = new ArrayList<>();
  private final IdentityHashMap<DefaultRules, WeirRuntime> applications = new IdentityHashMap<>();
  private DataSource source;

  abstract DataSource fresh();

  static class Shop {
    @RateLimit(limit = 4, window = 3_600, by = By.USER, name = "search")
    public void search() {}
  }

  @BeforeEach
  void start() {
    source = fresh();
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  DefaultRules node(String name) {
    return node(name, () -> DatabaseOpener.open(source, true), true);
  }

  DefaultRules node(String name, Supplier<RuleDatabase> database, boolean countsUsage) {
    return node(name, database, countsUsage, Weir.builder());
  }

  private DefaultRules node(
      String name, Supplier<RuleDatabase> database, boolean countsUsage, WeirBuilder builder) {
    DefaultRules node =
        DefaultRules.open(
            database,
            () -> {},
            new RulesOptions(
                CallerSettings::of,
                Duration.ofSeconds(10),
                100,
                Optional.empty(),
                false,
                OFTEN,
                new UsageOptions(
                    countsUsage, OFTEN, RetentionPeriods.USUAL, Duration.ofSeconds(4), OFTEN),
                RulesOptions.USUAL_ANOMALIES));
    Weir weir =
        builder
            .settings(Map.of("weir.store.timeout", "10s", "weir.node", name))
            .policySource(node.policySource())
            .build();
    open.add(weir);
    applications.put(node, WeirRuntime.of(weir));
    return node;
  }

  static void rule(DefaultRules node, Rule rule) {
    node.rules().save(rule, "test");
    node.refresh();
  }

  /** Sends requests of a user to a path. */
  void send(DefaultRules node, String path, int number) {
    send(applications.get(node).withoutClass(), path, number);
  }

  private static void send(GuardedEndpoint endpoint, String path, int number) {
    for (int i = 0; i < number; i++) {
      GuardedRequest request =
          endpoint.enter(FakeRequest.from("192.0.2.1").endpoint(path).user("ann"));
      boolean isAdmitted =
          request.decide(BEFORE_AUTHENTICATION).isEmpty()
              && request.decide(AFTER_AUTHENTICATION).isEmpty();
      request.completed(isAdmitted ? 200 : 429);
    }
  }

  private void search(DefaultRules node, int number) throws NoSuchMethodException {
    send(
        applications
            .get(node)
            .endpoint(Shop.class, Shop.class.getMethod("search"), EndpointType.METHOD),
        "/search",
        number);
  }

  /** What all hours have together, by policy: admitted, refused, soft, shadow-refused. */
  static Map<String, List<Long>> hours(DefaultRules node) {
    Map<String, List<Long>> sums = new TreeMap<>();
    for (HourlyOutcomes each :
        node.outcomes().hours(Optional.empty(), EARLY, LATE, Optional.empty(), 1_000)) {
      List<Long> counts =
          List.of(each.admitted(), each.refused(), each.soft(), each.shadowRefused());
      sums.merge(each.policy(), counts, NodeOutcomesContract::plus);
    }
    return sums;
  }

  private static List<Long> plus(List<Long> some, List<Long> others) {
    List<Long> sums = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      sums.add(some.get(i) + others.get(i));
    }
    return sums;
  }

  static List<String> names(DefaultRules node) {
    return node.nodes().current().stream().map(NodeStatus::node).toList();
  }

  private static Rule limit(String path, String name, long limit) {
    return Rule.builder("free", path).name(name).limit(limit).build();
  }

  @Test
  void whatEveryKindOfPolicyDecidesIsInTheHoursOfAllNodes() throws Exception {
    DecisionCounts ofApplication = new DecisionCounts();
    DefaultRules first =
        node(
            "first",
            () -> DatabaseOpener.open(source, true),
            true,
            Weir.builder().metrics(ofApplication));
    DefaultRules second = node("second");
    rule(first, limit("/hard", "hard", 3));
    rule(
        first,
        Rule.builder("free", "/soft").name("soft").limit(4).mode(Mode.SOFT).exceedBy(50).build());
    rule(
        first,
        Rule.builder("free", "/tried").name("tried").limit(2).state(RuleState.SHADOW).build());
    second.refresh();
    for (DefaultRules each : List.of(first, second)) {
      send(each, "/hard", 5);
      send(each, "/soft", 7);
      send(each, "/tried", 5);
      search(each, 6);
    }
    Map<String, List<Long>> expected =
        Map.of(
            "hard", List.of(6L, 4L, 0L, 0L),
            "soft", List.of(8L, 2L, 4L, 0L),
            "tried", List.of(4L, 0L, 0L, 6L),
            "search", List.of(8L, 4L, 0L, 0L));
    RulesContract.await("it is written", () -> hours(second).equals(expected));
    assertEquals(5, total(ofApplication, "hard"), "the application's own metrics count as ever");
    RulesContract.await("both say their totals", () -> admitted(first) == 6 + 12 + 10 + 8);
    Instant hour = Instant.now().minus(Duration.ofHours(2));
    assertEquals(
        List.of(),
        first.outcomes().hours(Optional.empty(), EARLY, hour, Optional.empty(), 1_000),
        "none begins earlier");
    assertEquals(
        List.of("soft"),
        first.outcomes().hours(Optional.of("soft"), EARLY, LATE, Optional.empty(), 1_000).stream()
            .map(HourlyOutcomes::policy)
            .distinct()
            .toList());
  }

  private static long admitted(DefaultRules node) {
    return node.nodes().current().stream().mapToLong(NodeStatus::admitted).sum();
  }

  private static long total(DecisionCounts counts, String policy) {
    return counts.of(policy).of(Outcome.ADMITTED) + counts.of(policy).of(Outcome.REFUSED);
  }

  @Test
  void hoursAreReadPageByPage() {
    DefaultRules node = node("one");
    for (String name : List.of("c", "a", "b")) {
      rule(node, limit("/" + name, name, 100));
      send(node, "/" + name, 1);
    }
    RulesContract.await("all are written", () -> hours(node).size() == 3);
    List<String> read = new ArrayList<>();
    Optional<HourlyOutcomes> last = Optional.empty();
    do {
      List<HourlyOutcomes> page = node.outcomes().hours(Optional.empty(), EARLY, LATE, last, 1);
      last = page.stream().findFirst();
      last.ifPresent(each -> read.add(each.policy()));
    } while (last.isPresent());
    assertTrue(read.size() >= 3, "an hour may have passed");
    assertEquals(List.of("a", "b", "c"), read.stream().distinct().sorted().toList());
  }

  @Test
  void withoutUsageOutcomesAreReportedAllTheSame() {
    DefaultRules node = node("one", () -> DatabaseOpener.open(source, true), false);
    rule(node, limit("/hard", "hard", 3));
    send(node, "/hard", 5);
    RulesContract.await(
        "it is written", () -> hours(node).equals(Map.of("hard", List.of(3L, 2L, 0L, 0L))));
    RulesContract.await(
        "it is reported",
        () -> node.nodes().current().stream().anyMatch(each -> each.refused() == 2));
    assertEquals(0, node.usage().total("ann").requests());
  }

  @Test
  void theLastDecisionsAreWrittenWhenTheApplicationEndsAndTheNodeIsGone() {
    DefaultRules last = node("last");
    DefaultRules other = node("other");
    rule(last, limit("/hard", "hard", 3));
    RulesContract.await("both are there", () -> names(other).equals(List.of("last", "other")));
    send(last, "/hard", 5);
    last.close();
    assertEquals(Map.of("hard", List.of(3L, 2L, 0L, 0L)), hours(other));
    RulesContract.await("the node is gone", () -> names(other).equals(List.of("other")));
  }

  @Test
  void eachWeirOfAProcessIsANode() {
    DefaultRules first = node("");
    node("");
    node("named");
    RulesContract.await("three nodes", () -> names(first).size() == 3);
    assertTrue(names(first).contains("named"));
  }

  @Test
  void aListenerHearsRatesWhileRequestsComeAndNoneWhenTheyEnd() throws Exception {
    DefaultRules first = node("first");
    DefaultRules second = node("second");
    rule(first, limit("/busy", "busy", 1_000_000));
    second.refresh();
    AtomicReference<CurrentOutcomes> heard = new AtomicReference<>();
    AutoCloseable listening = first.outcomes().listen(heard::set);
    AtomicBoolean isOver = new AtomicBoolean();
    Thread load =
        new Thread(
            () -> {
              while (!isOver.get()) {
                send(second, "/busy", 10);
              }
            });
    load.start();
    try {
      RulesContract.await(
          "the other node's requests are heard",
          () -> {
            CurrentOutcomes now = heard.get();
            return now != null && now.nodes() == 2 && rate(now, "busy") > 0;
          });
    } finally {
      isOver.set(true);
      load.join();
    }
    RulesContract.await("they end", () -> heard.get().totals().decisions() == 0);
    assertTrue(heard.get().isComplete());
    listening.close();
    assertFalse(Thread.currentThread().isInterrupted());
  }

  static double rate(CurrentOutcomes now, String policy) {
    return now.policies().stream()
        .filter(each -> each.policy().equals(policy))
        .map(PolicyRates::rates)
        .mapToDouble(each -> each.admitted())
        .sum();
  }
}
