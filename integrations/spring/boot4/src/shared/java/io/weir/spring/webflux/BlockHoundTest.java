package io.weir.spring.webflux;

import io.weir.compat.redis.RedisServer;
import io.weir.test.threads.EventLoopWatch;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("io.weir.spring.BootOfToday#isHere")
class BlockHoundTest {
  @Test
  void blocksNoEventLoopWhenAskingTheStoreOrByPartsOfTheApplication() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      EventLoopWatch.check(
          BlockHoundMain.class, List.of("false", "true"), "-Dweir.test.store=" + redis.url());
    }
  }
}
