package io.weir.internal.redis.address;

import io.weir.internal.redis.address.RedisAddress.Kind;
import io.weir.internal.store.ServerList;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Parses an address. Its messages name the rule but repeat nothing of the address. */
public final class RedisAddressParser {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final int DEFAULT_PORT = 6379;
  private static final int SENTINEL_PORT = 26_379;

  private final URI address;
  private final String scheme;
  private final Kind kind;
  private final ServerList servers;

  private RedisAddressParser(URI address) {
    this.address = address;
    this.scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
    this.kind =
        switch (scheme) {
          case "redis-sentinel" -> Kind.SENTINEL;
          case "redis-cluster" -> Kind.CLUSTER;
          default -> Kind.ALONE;
        };
    this.servers =
        new ServerList(address, kind == Kind.SENTINEL ? SENTINEL_PORT : DEFAULT_PORT, form(kind));
  }

  /**
   * Reads an address.
   *
   * @param address {@code redis}, {@code rediss}, {@code redis-sentinel} or {@code redis-cluster}
   * @throws IllegalArgumentException if it is malformed
   */
  public static RedisAddress parse(URI address) {
    return new RedisAddressParser(address).parse();
  }

  private RedisAddress parse() {
    List<HostAndPort> endpoints =
        servers.servers().stream()
            .map(each -> new HostAndPort(each.getHostString(), each.getPort()))
            .toList();
    servers.require(kind != Kind.ALONE || endpoints.size() == 1, "it takes exactly one host");
    Login login = new Login(servers.user(), servers.password());
    return new RedisAddress(kind, endpoints, login, master(), database(), tls());
  }

  private String master() {
    if (kind != Kind.SENTINEL) {
      return "";
    }
    servers.require(!path(0).isEmpty(), "the name of the master must follow the sentinels");
    return path(0);
  }

  private int database() {
    int at = kind == Kind.SENTINEL ? 1 : 0;
    String number = path(at);
    servers.require(path(at + 1).isEmpty(), "its path is too long");
    servers.require(kind != Kind.CLUSTER || number.isEmpty(), "a cluster has no databases");
    servers.require(number.isEmpty() || NUMBER.matcher(number).matches(), "a database is a number");
    return number.isEmpty() ? 0 : Integer.parseInt(number);
  }

  private String path(int index) {
    String[] parts = String.valueOf(address.getPath()).split("/", -1);
    return index + 1 < parts.length ? parts[index + 1] : "";
  }

  private boolean tls() {
    String query = address.getRawQuery();
    boolean named = kind != Kind.ALONE && query != null && query.matches("tls=(true|false)");
    servers.require(query == null || named, "in a password, write ? as %3F");
    return scheme.equals("rediss") || "tls=true".equals(query);
  }

  private static String form(Kind kind) {
    return switch (kind) {
      case ALONE -> "redis[s]://[user[:password]@]host[:port][/database]";
      case SENTINEL ->
          "redis-sentinel://[user[:password]@]host[:port][,…]/master[/database][?tls=true]";
      case CLUSTER -> "redis-cluster://[user[:password]@]host[:port][,…][?tls=true]";
    };
  }
}
