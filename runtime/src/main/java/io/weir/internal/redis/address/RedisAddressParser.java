package io.weir.internal.redis.address;

import io.weir.internal.redis.address.RedisAddress.Kind;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses an address. Its messages name the rule but repeat nothing of the address: what stands in
 * place of a host or a port may be half of a password.
 */
public final class RedisAddressParser {
  private static final Pattern HOST = Pattern.compile("\\[([^\\[\\]]+)]|([^\\[\\]:]+)");
  private static final Pattern PORT = Pattern.compile("\\d{1,5}");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
  private static final int DEFAULT_PORT = 6379;
  private static final int SENTINEL_PORT = 26_379;
  private static final int MAX_PORT = 65_535;

  private final URI address;
  private final String scheme;
  private final Kind kind;

  private RedisAddressParser(URI address) {
    this.address = address;
    this.scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
    this.kind =
        switch (scheme) {
          case "redis-sentinel" -> Kind.SENTINEL;
          case "redis-cluster" -> Kind.CLUSTER;
          default -> Kind.ALONE;
        };
  }

  /**
   * Reads an address.
   *
   * @param address {@code redis}, {@code rediss}, {@code redis-sentinel} or {@code redis-cluster}
   * @return its parts
   * @throws IllegalArgumentException if it is malformed; the message repeats nothing of it
   */
  public static RedisAddress parse(URI address) {
    return new RedisAddressParser(address).parse();
  }

  private RedisAddress parse() {
    String authority = address.getRawAuthority();
    require(authority != null, "the host is missing");
    require(address.getRawFragment() == null, "in a password, write # as %23");
    int at = authority.lastIndexOf('@');
    List<HostAndPort> endpoints =
        Arrays.stream(authority.substring(at + 1).split(",", -1)).map(this::endpoint).toList();
    require(kind != Kind.ALONE || endpoints.size() == 1, "it takes exactly one host");
    Login login = at < 0 ? Login.NONE : login(authority.substring(0, at));
    return new RedisAddress(kind, endpoints, login, master(), database(), tls());
  }

  private Login login(String text) {
    int colon = text.indexOf(':');
    return colon < 0
        ? new Login(decoded(text), "")
        : new Login(decoded(text.substring(0, colon)), decoded(text.substring(colon + 1)));
  }

  /** Decodes as in a path: a plus stays a plus. */
  private String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      // Without its cause, whose message may repeat the password.
      throw broken("in a user or password, write % as %25");
    }
  }

  private HostAndPort endpoint(String text) {
    int colon = text.indexOf(':', text.lastIndexOf(']') + 1);
    Matcher host = HOST.matcher(colon < 0 ? text : text.substring(0, colon));
    require(host.matches(), "a host is a name, an IPv4 address or an IPv6 address in brackets");
    int standard = kind == Kind.SENTINEL ? SENTINEL_PORT : DEFAULT_PORT;
    int port = colon < 0 ? standard : port(text.substring(colon + 1));
    return new HostAndPort(host.group(1) == null ? host.group(2) : host.group(1), port);
  }

  private int port(String text) {
    int port = PORT.matcher(text).matches() ? Integer.parseInt(text) : 0;
    require(
        port >= 1 && port <= MAX_PORT,
        "a port is 1 to 65535; in a password, write / as %2F and @ as %40");
    return port;
  }

  private String master() {
    if (kind != Kind.SENTINEL) {
      return "";
    }
    require(!path(0).isEmpty(), "the name of the master must follow the sentinels");
    return path(0);
  }

  private int database() {
    int at = kind == Kind.SENTINEL ? 1 : 0;
    String number = path(at);
    require(path(at + 1).isEmpty(), "its path is too long");
    require(kind != Kind.CLUSTER || number.isEmpty(), "a cluster has no databases");
    require(number.isEmpty() || NUMBER.matcher(number).matches(), "a database is a number");
    return number.isEmpty() ? 0 : Integer.parseInt(number);
  }

  private String path(int index) {
    String[] parts = String.valueOf(address.getPath()).split("/", -1);
    return index + 1 < parts.length ? parts[index + 1] : "";
  }

  private boolean tls() {
    String query = address.getRawQuery();
    boolean named = kind != Kind.ALONE && query != null && query.matches("tls=(true|false)");
    require(query == null || named, "in a password, write ? as %3F");
    return scheme.equals("rediss") || "tls=true".equals(query);
  }

  private void require(boolean met, String rule) {
    if (!met) {
      throw broken(rule);
    }
  }

  private IllegalArgumentException broken(String rule) {
    String form =
        switch (kind) {
          case ALONE -> "redis[s]://[user[:password]@]host[:port][/database]";
          case SENTINEL ->
              "redis-sentinel://[user[:password]@]host[:port][,…]/master[/database][?tls=true]";
          case CLUSTER -> "redis-cluster://[user[:password]@]host[:port][,…][?tls=true]";
        };
    return new IllegalArgumentException("weir.store must be " + form + ": " + rule);
  }
}
