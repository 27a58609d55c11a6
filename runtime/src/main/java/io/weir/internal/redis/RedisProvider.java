package io.weir.internal.redis;

import io.weir.Ticker;
import io.weir.internal.extension.ClassPresence;
import io.weir.internal.redis.address.RedisAddress;
import io.weir.internal.redis.address.RedisAddressParser;
import io.weir.internal.redis.address.RedisSettings;
import io.weir.internal.redis.connection.RedisConnections;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLSocketFactory;

/**
 * Opens stores in Redis: {@code redis://[user[:password]@]host[:port][/database]}, {@code
 * rediss://…} (the same with TLS), {@code redis-sentinel://…host[,host…]/master[/database]} and
 * {@code redis-cluster://…host[,host…]}; the last two with TLS if {@code ?tls=true} follows.
 *
 * <p>Reads {@code weir.prefix} (the beginning of every key, by default {@code weir}), {@code
 * weir.secret}, {@code weir.store.timeout}, and the settings of {@link RedisSettings}. Redis
 * needn't be up when the store is opened.
 *
 * <p>Safe for concurrent use.
 */
public final class RedisProvider implements StoreProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("redis", "rediss", "redis-sentinel", "redis-cluster");
  }

  @Override
  public PermitStore open(URI address, UnaryOperator<String> setting, Ticker ticker) {
    return open(address, setting, ticker, Optional.empty());
  }

  @Override
  public PermitStore open(
      URI address,
      UnaryOperator<String> setting,
      Ticker ticker,
      Supplier<SSLSocketFactory> sockets) {
    return open(address, setting, ticker, Optional.of(sockets));
  }

  private static PermitStore open(
      URI address,
      UnaryOperator<String> setting,
      Ticker ticker,
      Optional<Supplier<SSLSocketFactory>> sockets) {
    RedisAddress parsed = RedisAddressParser.parse(address);
    requireJedis();
    JedisVersionCheck.check(RedisProvider.class.getClassLoader());
    String prefix = setting.apply("weir.prefix").strip();
    BucketKeyEncoder keys =
        new BucketKeyEncoder(prefix.isEmpty() ? "weir" : prefix, setting.apply("weir.secret"));
    RedisConnections connections =
        new RedisConnections(parsed, new RedisSettings(setting), sockets, ticker);
    return new RedisStore(connections, keys, new Scripts(), ticker);
  }

  private static void requireJedis() {
    if (!ClassPresence.isPresent("redis.clients.jedis.Connection")) {
      throw new IllegalArgumentException(
          "weir.store in Redis needs redis.clients:jedis on the class path");
    }
  }
}
