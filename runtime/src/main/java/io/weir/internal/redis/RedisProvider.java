package io.weir.internal.redis;

import io.weir.Ticker;
import io.weir.internal.redis.address.RedisAddress;
import io.weir.internal.redis.address.RedisSettings;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Opens stores in Redis: for {@code redis://[user[:password]@]host[:port][/database]}, {@code
 * rediss://…} (the same with TLS), {@code redis-sentinel://…host[,host…]/master[/database]} and
 * {@code redis-cluster://…host[,host…]}; the last two with TLS where {@code ?tls=true} follows.
 *
 * <p>Reads {@code weir.prefix} (what every key begins with, {@code weir} unless set), {@code
 * weir.secret}, {@code weir.store.timeout}, and what {@link RedisSettings} names. Redis needn't be
 * there when the store is opened.
 *
 * <p>Safe for concurrent use.
 */
public final class RedisProvider implements StoreProvider {
  /** A class of each library that is needed. */
  private static final List<String> NEEDED =
      List.of(
          "redis.clients.jedis.Connection", "io.github.resilience4j.circuitbreaker.CircuitBreaker");

  /** For {@link java.util.ServiceLoader}. */
  public RedisProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("redis", "rediss", "redis-sentinel", "redis-cluster");
  }

  @Override
  public PermitStore open(URI address, UnaryOperator<String> setting, Ticker ticker) {
    RedisAddress parsed = RedisAddress.parse(address);
    if (!NEEDED.stream().allMatch(RedisProvider::isThere)) {
      throw new IllegalArgumentException(
          "weir.store in Redis needs redis.clients:jedis and"
              + " io.github.resilience4j:resilience4j-circuitbreaker on the class path");
    }
    JedisVersionCheck.check(RedisProvider.class.getClassLoader());
    String prefix = setting.apply("weir.prefix").strip();
    BucketKeys keys =
        new BucketKeys(prefix.isEmpty() ? "weir" : prefix, setting.apply("weir.secret"));
    RedisConnections connections =
        new RedisConnections(parsed, RedisSettings.read(parsed, setting), ticker);
    return new RedisStore(
        connections, keys, new Scripts(), new OnceLog(connections.describe(), ticker), ticker);
  }

  private static boolean isThere(String name) {
    try {
      Class.forName(name, false, RedisProvider.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException missing) {
      return false;
    }
  }
}
