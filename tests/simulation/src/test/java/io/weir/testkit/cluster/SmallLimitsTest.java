package io.weir.testkit.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Decision;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.seeds.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One node alone admits the whole of a small limit, at once and again after each idle time. */
@ExtendWith(Quiet.class)
class SmallLimitsTest {
  private static final int MOST = 20;
  private static final Duration WINDOW = Duration.ofHours(1);

  /** Round trips to the store in milliseconds: the nearest one each day, and one of the others. */
  static List<Integer> distances() {
    List<Integer> all = new ArrayList<>(Seeds.today(List.of(2, 5, 20, 50), 4));
    all.add(0, 0);
    return all;
  }

  @ParameterizedTest
  @MethodSource("distances")
  void admitsAllOfThem(int roundTrip) {
    Duration there = Duration.ofMillis(roundTrip);
    SimulatedCluster cluster =
        SimulatedCluster.builder().nodes(1).network(there, Duration.ZERO).drift(0).build();
    cluster.run(Duration.ofSeconds(2));
    List<String> wrong = new ArrayList<>();
    List<Row> table = table();
    for (int times = 0; times < 2; times++) {
      for (Row each : table) {
        long admitted = each.spend(cluster, there);
        if (admitted != each.most()) {
          wrong.add(each + " admitted " + admitted + ", not " + each.most() + ", time " + times);
        }
      }
      cluster.run(WINDOW.multipliedBy(2).plusSeconds(1_234L));
    }
    assertEquals(List.of(), wrong);
  }

  /** A third of the rows each day. */
  private static List<Row> table() {
    List<Row> table = new ArrayList<>();
    for (int limit = 1; limit <= MOST; limit++) {
      for (Algorithm algorithm : Algorithm.values()) {
        for (long cost : List.of(1L, 3L)) {
          if (cost <= limit) {
            table.add(new Row(algorithm, limit, 0, cost));
          }
        }
      }
      table.add(new Row(Algorithm.TOKEN_BUCKET, limit, (limit + 1) / 2, 1));
    }
    return Seeds.today(table, 3);
  }

  /** A policy, and what each of its requests costs. */
  private record Row(Algorithm algorithm, int limit, int refill, long cost) {
    Policy policy() {
      return Policy.builder(
              String.format(Locale.ROOT, "%s.%d.%d.%d", algorithm, limit, refill, cost))
          .limit(limit)
          .window(WINDOW)
          .algorithm(algorithm)
          .refill(refill)
          .burst(algorithm == Algorithm.LEAKY_BUCKET ? limit : 0)
          .build();
    }

    long most() {
      return limit / cost;
    }

    /** Asks for one more than there are, one after the other. */
    long spend(SimulatedCluster cluster, Duration there) {
      Policy policy = policy();
      List<Decision> decided = new ArrayList<>();
      for (int i = 0; i <= most(); i++) {
        PermitRequest one = new PermitRequest(policy, Key.of("who"), cost, limit);
        cluster.request(0, List.of(one), decided::add);
        cluster.run(there.plusMillis(1));
      }
      assertEquals(most() + 1, decided.size());
      return decided.stream().filter(Decision::admitted).count();
    }
  }
}
