package io.weir.micronaut;

import io.weir.compat.redis.RedisServer;
import io.weir.seeds.DeepOnly;
import io.weir.test.threads.EventLoopWatch;
import java.util.List;
import org.junit.jupiter.api.Test;

@DeepOnly
class EventLoopTest {
  @Test
  void blocksNoEventLoopWhenAskingTheStoreOrByPartsOfTheApplication() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      EventLoopWatch.check(
          WatchedMain.class, List.of("false", "true"), "-Dweir.test.store=" + redis.url());
    }
  }
}
