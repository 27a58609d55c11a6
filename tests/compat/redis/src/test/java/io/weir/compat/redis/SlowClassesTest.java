package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.redis.address.RedisAddress;
import io.weir.internal.redis.address.RedisAddressParser;
import io.weir.internal.redis.address.RedisSettings;
import io.weir.internal.redis.connection.Failure;
import io.weir.internal.redis.connection.RedisConnections;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * A process that has just started loads the classes of Jedis while it opens its first connection.
 */
class SlowClassesTest {
  /** A machine may be busy in one of them, and Redis silent for as long as is allowed. */
  private static final int ATTEMPTS = 10;

  private static final Duration EACH = Duration.ofMillis(20);
  private static final Duration ALLOWED = Duration.ofMillis(2 * Login.TIMEOUT_MILLIS);

  @Test
  void areNotTakenForTheSilenceOfRedis() throws Exception {
    try (RedisServer server = RedisServer.start("requirepass pass")) {
      String url = "redis://:pass@127.0.0.1:" + server.port();
      Set<String> results = new TreeSet<>();
      for (int i = 0; i < ATTEMPTS && !results.contains("connected"); i++) {
        results.add(login(url));
      }
      assertTrue(results.contains("connected"), results::toString);
    }
  }

  private static String login(String url) throws Exception {
    try (JedisApart slow = JedisApart.slow(EACH)) {
      String result = slow.apply(Login.class, url);
      assertTrue(slow.slowedDown().compareTo(ALLOWED) > 0, () -> slow.slowedDown().toString());
      return result;
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
          new RedisSettings(name -> name.equals("weir.store.timeout") ? TIMEOUT_MILLIS + "ms" : "");
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
