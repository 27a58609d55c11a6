package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.redis.address.RedisAddress;
import io.weir.internal.redis.address.RedisAddressParser;
import io.weir.internal.redis.address.RedisSettings;
import io.weir.internal.redis.connection.Failure;
import io.weir.internal.redis.connection.RedisConnections;
import java.net.URI;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * A process that has just started loads the classes of Jedis while it opens its first connection.
 */
class SlowClassesTest {
  private static final Duration EACH = Duration.ofMillis(20);
  private static final Duration ALLOWED = Duration.ofMillis(2 * Login.TIMEOUT_MILLIS);

  @Test
  void areNotTakenForTheSilenceOfRedis() throws Exception {
    try (RedisServer server = RedisServer.start("requirepass pass");
        JedisApart slow = JedisApart.slow(EACH)) {
      assertEquals(
          "connected", slow.apply(Login.class, "redis://:pass@127.0.0.1:" + server.port()));
      assertTrue(slow.slowedDown().compareTo(ALLOWED) > 0, () -> slow.slowedDown().toString());
    }
  }

  /** Connects and logs in; what went wrong. */
  public static final class Login implements UnaryOperator<String> {
    static final int TIMEOUT_MILLIS = 100;

    /** Called by the code that loads the class. */
    public Login() {}

    @Override
    public String apply(String url) {
      RedisAddress address = RedisAddressParser.parse(URI.create(url));
      RedisSettings settings =
          RedisSettings.read(
              address, name -> name.equals("weir.store.timeout") ? TIMEOUT_MILLIS + "ms" : "");
      try (RedisConnections connections =
          new RedisConnections(address, settings, Ticker.system())) {
        return connections
            .connect((partition, failure) -> {})
            .toCompletableFuture()
            .join()
            .map(Failure::text)
            .orElse("connected");
      }
    }
  }
}
