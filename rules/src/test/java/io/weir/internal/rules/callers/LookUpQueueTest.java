package io.weir.internal.rules.callers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.rules.tier.UserTier;
import io.weir.test.threads.ScarceThreads;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Callers are looked up where threads are scarce. */
class LookUpQueueTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final long NOW = 0;

  private final ScarceThreads threads = new ScarceThreads();

  @Test
  void aCallerIsUnknownUntilAThreadCanBeStarted() throws Exception {
    Map<String, UserTier> rows = Map.of("alice", UserTier.of("alice", "premium"));
    try (LookUpQueue lookUps =
        new LookUpQueue(
            userIds -> rows,
            PATIENCE,
            PATIENCE,
            Ticker.system(),
            (caller, rowKey, profile) -> {},
            threads)) {
      threads.exhaust();
      CompletableFuture<CallerProfile> none = find(lookUps);
      assertTrue(none.isDone(), "without waiting");
      assertEquals(Optional.empty(), none.join().tier(NOW));
      threads.recover();
      assertEquals(Optional.of("premium"), find(lookUps).get(1, TimeUnit.MINUTES).tier(NOW));
    }
  }

  private static CompletableFuture<CallerProfile> find(LookUpQueue lookUps) {
    return lookUps.find(
        CallerId.user("alice").orElseThrow(), CallerProfile.unknown(), last -> true);
  }
}
