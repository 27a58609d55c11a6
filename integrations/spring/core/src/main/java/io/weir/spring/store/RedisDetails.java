package io.weir.spring.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * The Redis of a Spring application: its address, login and certificates, in the words of Weir's
 * settings.
 *
 * <p>Immutable. Its text shows no login.
 */
public final class RedisDetails {
  private static final String USER = "weir.store.redis.user";
  private static final String PASSWORD = "weir.store.redis.password";
  private static final String SENTINEL_USER = "weir.store.redis.sentinel-user";
  private static final String SENTINEL_PASSWORD = "weir.store.redis.sentinel-password";

  private final String scheme;
  private final String rest;
  private final Map<String, String> settings;
  private final Optional<Supplier<SslBundle>> certificates;

  private RedisDetails(
      String scheme,
      String rest,
      Map<String, String> settings,
      Optional<Supplier<SslBundle>> certificates) {
    this.scheme = scheme;
    this.rest = rest;
    this.settings = Map.copyOf(settings);
    this.certificates = certificates;
  }

  /**
   * A server of Redis.
   *
   * @param host a name or an address
   * @param port 1 to 65535
   */
  public record Server(String host, int port) {
    @Override
    public String toString() {
      boolean isBareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
      return (isBareIpv6 ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /**
   * Describes a single server.
   *
   * @param server the server
   * @param database 0 and more
   * @return details without login and encryption
   */
  public static RedisDetails single(Server server, int database) {
    return new RedisDetails("redis", server + "/" + database, Map.of(), Optional.empty());
  }

  /**
   * Describes a master that sentinels name.
   *
   * @param sentinels at least one
   * @param master the name that they know
   * @param database 0 and more
   * @return details without login and encryption
   */
  public static RedisDetails sentinel(List<Server> sentinels, String master, int database) {
    return new RedisDetails(
        "redis-sentinel",
        joined(sentinels) + "/" + master + "/" + database,
        Map.of(),
        Optional.empty());
  }

  /**
   * Describes a cluster.
   *
   * @param nodes at least one
   * @return details without login and encryption
   */
  public static RedisDetails cluster(List<Server> nodes) {
    return new RedisDetails("redis-cluster", joined(nodes), Map.of(), Optional.empty());
  }

  private static String joined(List<Server> servers) {
    return String.join(",", servers.stream().map(Server::toString).toList());
  }

  /**
   * Adds the login of Redis.
   *
   * @param user null or empty for the default user
   * @param password null or empty for none
   * @return details with it
   */
  public RedisDetails login(@Nullable String user, @Nullable String password) {
    return with(USER, user).with(PASSWORD, password);
  }

  /**
   * Adds the login of the sentinels.
   *
   * @param user null or empty for the default user
   * @param password null or empty for none
   * @return details with it
   */
  public RedisDetails sentinelLogin(@Nullable String user, @Nullable String password) {
    return with(SENTINEL_USER, user).with(SENTINEL_PASSWORD, password);
  }

  private RedisDetails with(String name, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      return this;
    }
    Map<String, String> more = new HashMap<>(settings);
    more.put(name, value);
    return new RedisDetails(scheme, rest, more, certificates);
  }

  /**
   * Encrypts connections.
   *
   * @param bundle returns the certificates now; asked for each connection
   * @return encrypted details
   */
  public RedisDetails encrypted(Supplier<SslBundle> bundle) {
    return new RedisDetails(scheme, rest, settings, Optional.of(bundle));
  }

  /** Returns the address as {@code weir.store} has it, without login. */
  String address() {
    if (scheme.equals("redis")) {
      return (certificates.isPresent() ? "rediss://" : "redis://") + rest;
    }
    return scheme + "://" + rest + (certificates.isPresent() ? "?tls=true" : "");
  }

  /** Returns the login by the names of settings. */
  Map<String, String> settings() {
    return settings;
  }

  /** Returns the certificates; empty if connections aren't encrypted. */
  Optional<Supplier<SslBundle>> certificates() {
    return certificates;
  }

  @Override
  public String toString() {
    return address();
  }
}
