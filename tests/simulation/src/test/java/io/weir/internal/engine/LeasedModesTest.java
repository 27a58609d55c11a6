package io.weir.internal.engine;

import static io.weir.internal.engine.Leasing.policy;
import static io.weir.testkit.DecisionAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Mode;
import io.weir.annotation.Priority;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LeasedModesTest {
  private final Leasing node = new Leasing();

  @AfterEach
  void close() {
    node.close();
  }

  private Map<Outcome, Integer> outcomes(Policy policy, int times) {
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    for (int i = 0; i < times; i++) {
      Decision decision = node.take(policy);
      assertThat(decision).notDegraded().hasLimit(policy.limit());
      outcomes.merge(decision.outcome(), 1, Integer::sum);
      if (decision.outcome() != Outcome.ADMITTED) {
        assertThat(decision).hasRemaining(0);
      }
      node.time.run(Duration.ofMillis(1));
    }
    return outcomes;
  }

  @ParameterizedTest
  @EnumSource(
      value = Algorithm.class,
      names = {"FIXED_WINDOW", "SLIDING_WINDOW", "SLIDING_LOG"})
  void softMarksExactlyWhatIsAboveTheLimit(Algorithm algorithm) {
    Policy soft = policy("soft", 1_000).algorithm(algorithm).mode(Mode.SOFT).exceedBy(10).build();
    assertEquals(
        Map.of(Outcome.ADMITTED, 1_000, Outcome.SOFT, 100, Outcome.REFUSED, 50),
        outcomes(soft, 1_150));
    assertTrue(node.store.exchanges < 500, "asked " + node.store.exchanges + " times");
  }

  @Test
  void elasticMarksExactlyWhatIsAboveTheLimitWhileThereIsRoom() {
    Policy elastic = policy("elastic", 1_000).mode(Mode.ELASTIC).exceedBy(10).build();
    assertEquals(
        Map.of(Outcome.ADMITTED, 1_000, Outcome.ELASTIC, 100, Outcome.REFUSED, 50),
        outcomes(elastic, 1_150));
    assertTrue(node.store.exchanges < 500, "asked " + node.store.exchanges + " times");
  }

  @Test
  void anOverloadedNodeSaysThatItRefusesForItsOwnSake() {
    Policy elastic = policy("elastic", 100).mode(Mode.ELASTIC).exceedBy(10).build();
    node.load = 1;
    assertEquals(50, node.take(elastic, 50));
    for (int i = 0; i < 20; i++) {
      assertThat(node.take(elastic)).refusedBecause(Reason.REDUCED_CAPACITY).notDegraded();
    }
    node.load = 0.8;
    node.rest();
    assertEquals(50, node.take(elastic, 60));
    node.load = 1;
    assertThat(node.take(elastic)).refusedBecause(Reason.QUOTA_EXCEEDED).notDegraded();
  }

  @Test
  void theSameNodeTurnsElasticAgainWhenTheLoadIsGone() {
    Policy elastic = policy("elastic", 100).mode(Mode.ELASTIC).exceedBy(10).build();
    node.load = 1;
    assertEquals(50, node.take(elastic, 70));
    node.load = 0;
    assertEquals(60, node.take(elastic, 80));
  }

  @Test
  void aNodeThatIsTooBusyRefusesByItselfAndKeepsItsLease() {
    Policy low = policy("low", 10_000).priority(Priority.LOW).build();
    assertEquals(1_000, node.take(low, 1_000));
    long exchanges = node.store.exchanges;
    node.load = 0.8;
    for (int i = 0; i < 100; i++) {
      assertThat(node.take(low)).refusedBecause(Reason.REDUCED_CAPACITY).notDegraded();
      assertThat(node.peek(low)).refusedBecause(Reason.REDUCED_CAPACITY).notDegraded();
    }
    assertEquals(exchanges, node.store.exchanges);
    node.load = 0;
    assertThat(node.take(low)).admitted().notDegraded();
    assertEquals(exchanges, node.store.exchanges, "the lease was still there");
    node.rest();
    assertEquals(1_001, node.used(low));
  }

  @ParameterizedTest
  @CsvSource({"HARD, 0.7, 50", "SOFT, 0.7, 50", "HARD, 0.5, 100", "SOFT, 0.5, 110"})
  void aPriorityHoldsWithLeasesToo(Mode mode, double load, long admitted) {
    Policy low = policy("low", 100).mode(mode).exceedBy(10).priority(Priority.LOW).build();
    node.load = load;
    assertEquals(admitted, node.take(low, 150));
    boolean reduced = admitted < 100;
    assertThat(node.take(low))
        .refusedBecause(reduced ? Reason.REDUCED_CAPACITY : Reason.QUOTA_EXCEEDED);
  }

  @Test
  void aHotBucketIsHardlyAskedAbout() {
    Policy hot = policy("hot", 100_000).build();
    assertEquals(2_000, node.take(hot, 2_000));
    assertTrue(node.store.exchanges < 100, "asked " + node.store.exchanges + " times");
    assertThat(node.take(hot)).notDegraded().hasRemaining(100_000 - 2_001);
  }
}
