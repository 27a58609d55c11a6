package io.weir.internal.rules.assembly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.RequestChecker;
import io.weir.Weir;
import io.weir.annotation.Algorithm;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import io.weir.rules.Rules;
import io.weir.rules.history.RuleEvent;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.store.SimulatedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of reset buckets and their events, on two nodes of one store. */
abstract class BucketsContract {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final List<AutoCloseable> open = new ArrayList<>();
  private Rules first;
  private Rules second;
  private RateLimiter limiter;
  private RequestChecker here;
  private RequestChecker there;

  /** An empty database of its own. */
  abstract DataSource fresh();

  @BeforeEach
  void start() {
    DataSource database = fresh();
    SimulatedStore store =
        new SimulatedStore(() -> TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()));
    first = Rules.builder(database).build();
    second = Rules.builder(database).build();
    Weir weir = weir(first, store);
    limiter = weir.limiter();
    here = weir.checker();
    there = weir(second, store).checker();
    first
        .rules()
        .save(
            Rule.builder("*", "/api/*").limit(2).window(RuleWindow.ofSeconds(86_400)).build(),
            "root");
    second.refresh();
  }

  private Weir weir(Rules rules, SimulatedStore store) {
    Weir weir =
        Weir.builder()
            .store(store)
            .settings(Map.of("weir.secret", "of both", "weir.store.timeout", "10s"))
            .policySource(rules.policySource())
            .build();
    open.add(weir);
    open.add(rules);
    return weir;
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private static Decision ask(RequestChecker node) {
    return node.check(FakeRequest.from("192.0.2.1").endpoint("/api/posts").user("alice"))
        .toCompletableFuture()
        .join()
        .decision()
        .orElseThrow();
  }

  private static boolean admits(RequestChecker node) {
    return ask(node).admitted();
  }

  @Test
  void aBucketThatIsMadeFullIsFullOnEveryNode() throws Exception {
    assertTrue(admits(here));
    assertTrue(admits(there));
    Decision refused = ask(here);
    assertFalse(refused.admitted());
    assertFalse(admits(there), "and it knows so for a day");
    Decision part = refused.parts().get(0);

    List<RuleEvent> told = new CopyOnWriteArrayList<>();
    try (AutoCloseable listening = second.onEvent(told::add)) {
      first
          .buckets()
          .reset(part.policy(), part.key(), "root")
          .toCompletableFuture()
          .get(120, TimeUnit.SECONDS);
      assertTrue(admits(here), "at once");
      long until = System.nanoTime() + PATIENCE_NANOS;
      while (told.isEmpty() || !admits(there)) {
        assertTrue(System.nanoTime() < until, "the other node never heard of it");
        Thread.sleep(20);
      }
    }
    assertEquals(1, told.size());
    RuleEvent.Changed event = (RuleEvent.Changed) told.get(0);
    assertEquals("buckets", event.change().table());
    assertEquals("root", event.change().by());
    assertEquals(first.buckets().name(part.policy(), part.key()), event.change().rowKey());
    assertFalse(event.change().toString().contains("alice"), "no user is named");
    assertThrows(
        IllegalArgumentException.class,
        () -> first.history().restore(event.change().number(), "root"));
  }

  @Test
  void theBucketOfARulesBurstIsResetToo() throws Exception {
    Policy mails = mails(2);
    Key alice = Key.user("alice");
    first.rules().save(Rule.builder("*", "policy:mails").limit(2).burst(3).build(), "root");
    first.refresh();
    second.refresh();
    assertTrue(limiter.tryAcquire(mails, alice, 3).admitted());
    assertFalse(limiter.tryAcquire(mails, alice).admitted());
    List<RuleEvent> told = new CopyOnWriteArrayList<>();
    try (AutoCloseable listening = second.onEvent(told::add)) {
      first.buckets().reset(mails, alice, "root").toCompletableFuture().get(120, TimeUnit.SECONDS);
      assertTrue(limiter.tryAcquire(mails, alice, 3).admitted());
      second.refresh();
    }
    assertEquals(
        Set.of(first.buckets().name(mails, alice), first.buckets().name(mails(3), alice)),
        told.stream()
            .map(each -> ((RuleEvent.Changed) each).change().rowKey())
            .collect(Collectors.toSet()));
  }

  private static Policy mails(long burst) {
    return Policy.builder("mails")
        .limit(2)
        .window(Duration.ofDays(1))
        .algorithm(Algorithm.TOKEN_BUCKET)
        .burst(burst)
        .build();
  }

  @Test
  void whatCantBeListedIsTold() {
    Decision decision = ask(here);
    assertTrue(first.buckets().list(decision.parts().get(0).policy(), 2, "", 10).isEmpty());
  }

  @Test
  void changesAndBadRowsAreToldOnce() throws Exception {
    List<RuleEvent> told = new CopyOnWriteArrayList<>();
    try (AutoCloseable listening = first.onEvent(told::add)) {
      Rule saved = first.rules().save(Rule.builder("free", "/files").limit(1).build(), "root");
      first.refresh();
      first.refresh();
      assertEquals(1, told.size());
      assertEquals(Long.toString(saved.id()), ((RuleEvent.Changed) told.get(0)).change().rowKey());
    }
    first.rules().save(Rule.builder("free", "/more").limit(1).build(), "root");
    assertEquals(1, told.size(), "no longer");
  }
}
