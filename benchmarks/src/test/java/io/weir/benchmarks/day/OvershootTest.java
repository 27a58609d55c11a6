package io.weir.benchmarks.day;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.benchmarks.cluster.Admissions;
import org.junit.jupiter.api.Test;

class OvershootTest {
  private static final long SECOND = 1_000_000;

  private final Admissions admissions = new Admissions();

  private void admit(int user, int count, long from, long between) {
    for (int i = 0; i < count; i++) {
      long at = from + i * between;
      admissions.add(at, at + 100, user);
    }
  }

  @Test
  void whoHasExactlyTheLimitHasNothingBeyond() {
    admit(1, Nodes.PER_MINUTE, 0, SECOND / 2);
    admit(1, Nodes.PER_MINUTE, 61 * SECOND, SECOND / 2);
    admit(2, 5, 0, SECOND);
    assertEquals(new Overshoot(0, 1), Overshoot.of(admissions));
  }

  @Test
  void oneTooManyIsSeenWhereverItsMinuteBegins() {
    admit(1, Nodes.PER_MINUTE, 30 * SECOND, SECOND / 2);
    admit(1, 1, 85 * SECOND, 1);
    assertEquals(new Overshoot(1, 1), Overshoot.of(admissions));
  }

  @Test
  void usersDoNotCountTogether() {
    for (int user = 0; user < 5; user++) {
      admit(user, Nodes.PER_MINUTE - 1, 0, 1);
    }
    assertEquals(new Overshoot(0, 0), Overshoot.of(admissions));
  }
}
