package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.weir.compat.redis.Await;
import io.weir.compat.redis.RedisServer;
import io.weir.compat.redis.SentinelSetup;
import io.weir.seeds.OneDayIn;
import org.junit.jupiter.api.Test;

@OneDayIn(2)
class SentinelTest {
  /** Permits that the new master didn't know of may be granted once more, but no others. */
  @Test
  void threeNodesKeepToTheLimitThroughAFailover() throws Exception {
    try (SentinelSetup sentinel = SentinelSetup.start()) {
      Drill.run(
              "Sentinel failover",
              sentinel.url(),
              () -> {
                RedisServer old = sentinel.master();
                old.kill9();
                sentinel.awaitMasterOtherThan(old);
                assertFalse(old.running());
                assertNotEquals(old.port(), sentinel.master().port());
                Await.until("it answers", () -> Probe.answers(sentinel.master().port()));
              })
          .cutOff()
          .forgotOnce();
    }
  }
}
