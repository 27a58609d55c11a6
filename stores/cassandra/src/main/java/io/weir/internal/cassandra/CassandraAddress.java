package io.weir.internal.cassandra;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Holds what {@code weir.store} says about a Cassandra.
 *
 * <p>Immutable. Its text shows no password.
 *
 * @param hosts at least one, not resolved yet
 * @param user empty for none
 * @param password empty for none
 * @param keyspace as it is written in CQL
 * @param dataCentre the local one
 * @param tls whether connections are encrypted
 */
record CassandraAddress(
    List<InetSocketAddress> hosts,
    String user,
    String password,
    String keyspace,
    String dataCentre,
    boolean tls) {
  private static final Pattern HOST = Pattern.compile("\\[([^\\[\\]]+)]|([^\\[\\]:]+)");
  private static final Pattern PORT = Pattern.compile("\\d{1,5}");
  private static final Pattern KEYSPACE = Pattern.compile("[a-z][a-z0-9_]{0,47}");
  private static final int DEFAULT_PORT = 9042;
  private static final int MAX_PORT = 65_535;

  CassandraAddress {
    hosts = List.copyOf(hosts);
  }

  /**
   * Reads an address: {@code
   * cassandra://[user[:password]@]host[:port][,…]/keyspace?dc=…[&tls=true]}.
   *
   * @throws IllegalArgumentException if it is malformed; the message doesn't repeat the address
   */
  static CassandraAddress parse(URI address) {
    String authority = address.getRawAuthority();
    require(authority != null, "the host is missing");
    require(address.getRawFragment() == null, "in a password, write # as %23");
    int at = authority.lastIndexOf('@');
    String[] login = at < 0 ? new String[] {""} : authority.substring(0, at).split(":", 2);
    List<InetSocketAddress> hosts = new ArrayList<>();
    for (String host : authority.substring(at + 1).split(",", -1)) {
      hosts.add(host(host));
    }
    String path = String.valueOf(address.getPath());
    String keyspace = path.startsWith("/") ? path.substring(1) : "";
    require(
        KEYSPACE.matcher(keyspace).matches(),
        "the hosts must be followed by a keyspace of a-z, 0-9 and _, a letter first, at most 48");
    Map<String, String> query = query(address.getRawQuery());
    String dataCentre = query.getOrDefault("dc", "");
    require(
        !dataCentre.isEmpty(),
        "it must name the data centre of this application, as in ?dc=datacenter1; `nodetool"
            + " status` shows it");
    String tls = query.getOrDefault("tls", "false");
    require(tls.equals("true") || tls.equals("false"), "tls is true or false");
    return new CassandraAddress(
        hosts,
        decoded(login[0]),
        login.length < 2 ? "" : decoded(login[1]),
        keyspace,
        dataCentre,
        tls.equals("true"));
  }

  private static Map<String, String> query(String text) {
    Map<String, String> values = new TreeMap<>();
    if (text == null) {
      return values;
    }
    for (String each : text.split("&", -1)) {
      int equals = each.indexOf('=');
      String name = equals < 0 ? each : each.substring(0, equals);
      require(
          equals > 0 && (name.equals("dc") || name.equals("tls")),
          "only dc and tls may follow the ?; in a password, write ? as %3F");
      require(
          values.put(name, decoded(each.substring(equals + 1))) == null,
          "dc and tls may be given only once");
    }
    return values;
  }

  /** Decodes as in a path, where a plus is a plus. */
  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      // Without its cause, whose message may repeat the password.
      throw broken("in a user or password, write % as %25");
    }
  }

  private static InetSocketAddress host(String text) {
    int colon = text.indexOf(':', text.lastIndexOf(']') + 1);
    Matcher host = HOST.matcher(colon < 0 ? text : text.substring(0, colon));
    require(host.matches(), "a host is a name, an IPv4 address or an IPv6 address in brackets");
    String name = host.group(1) == null ? host.group(2) : host.group(1);
    return InetSocketAddress.createUnresolved(
        name, colon < 0 ? DEFAULT_PORT : port(text.substring(colon + 1)));
  }

  private static int port(String text) {
    int port = PORT.matcher(text).matches() ? Integer.parseInt(text) : 0;
    require(
        port >= 1 && port <= MAX_PORT,
        "a port is 1 to 65535; in a password, write / as %2F and @ as %40");
    return port;
  }

  private static void require(boolean met, String rule) {
    if (!met) {
      throw broken(rule);
    }
  }

  private static IllegalArgumentException broken(String rule) {
    return new IllegalArgumentException(
        "weir.store must be"
            + " cassandra://[user[:password]@]host[:port][,…]/keyspace?dc=…[&tls=true]: "
            + rule);
  }

  @Override
  public String toString() {
    return "Cassandra at " + hosts + "/" + keyspace + " in " + dataCentre;
  }
}
