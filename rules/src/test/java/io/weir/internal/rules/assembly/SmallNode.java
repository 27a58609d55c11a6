package io.weir.internal.rules.assembly;

import io.weir.Weir;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.guard.GuardedRequest;
import io.weir.spi.DecisionPhase;
import io.weir.testkit.FakeRequest;
import java.util.Map;

/** Follows the limits of users, who all ask, until its process ends. */
final class SmallNode {
  static final String KNOWS_ALL = "each user has its limit";

  private SmallNode() {}

  /** Prints {@link #KNOWS_ALL} once all users have the limit, and again after the next one. */
  public static void main(String[] args) throws InterruptedException {
    int users = Integer.parseInt(args[1]);
    try (Weir weir =
        Weir.builder()
            .settings(
                Map.of(
                    "weir.rules",
                    args[0],
                    "weir.rules.timeout",
                    "10s",
                    "weir.store.timeout",
                    "10s"))
            .build()) {
      for (int i = 2; i < args.length; i++) {
        long limit = Long.parseLong(args[i]);
        for (int user = 0; user < users; user++) {
          while (limit(weir, "u" + user) != limit) {
            Thread.sleep(10);
          }
        }
        System.out.println(KNOWS_ALL);
      }
      Thread.currentThread().join();
    }
  }

  private static long limit(Weir weir, String user) {
    GuardedRequest request =
        WeirRuntime.of(weir)
            .withoutClass()
            .enter(FakeRequest.from("192.0.2.1").endpoint("/api/a").user(user));
    var unused = request.decide(DecisionPhase.BEFORE_AUTHENTICATION);
    unused = request.decide(DecisionPhase.AFTER_AUTHENTICATION);
    request.completed(200);
    return request.decision().limit();
  }
}
