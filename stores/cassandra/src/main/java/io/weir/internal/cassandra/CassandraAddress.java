package io.weir.internal.cassandra;

import io.weir.internal.store.ServerList;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
 * @param tls whether connections are encrypted
 */
record CassandraAddress(
    List<InetSocketAddress> hosts,
    String user,
    String password,
    String keyspace,
    String dataCentre,
    boolean tls) {
  private static final Pattern KEYSPACE = Pattern.compile("[a-z][a-z0-9_]{0,47}");
  private static final int DEFAULT_PORT = 9042;
  private static final String FORM =
      "cassandra://[user[:password]@]host[:port][,…]/keyspace?dc=…[&tls=true]";

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
    ServerList servers = new ServerList(address, DEFAULT_PORT, FORM);
    String path = String.valueOf(address.getPath());
    String keyspace = path.startsWith("/") ? path.substring(1) : "";
    servers.require(
        KEYSPACE.matcher(keyspace).matches(),
        "the hosts must be followed by a keyspace of a-z, 0-9 and _, a letter first, at most 48");
    Map<String, String> query = query(servers, address.getRawQuery());
    String dataCentre = query.getOrDefault("dc", "");
    servers.require(
        !dataCentre.isEmpty(),
        "it must name the data centre of this application, as in ?dc=datacenter1; `nodetool"
            + " status` shows it");
    String tls = query.getOrDefault("tls", "false");
    servers.require(tls.equals("true") || tls.equals("false"), "tls is true or false");
    return new CassandraAddress(
        servers.servers(),
        servers.user(),
        servers.password(),
        keyspace,
        dataCentre,
        tls.equals("true"));
  }

  private static Map<String, String> query(ServerList servers, String text) {
    Map<String, String> values = new TreeMap<>();
    if (text == null) {
      return values;
    }
    for (String each : text.split("&", -1)) {
      int equals = each.indexOf('=');
      String name = equals < 0 ? each : each.substring(0, equals);
      servers.require(
          equals > 0 && (name.equals("dc") || name.equals("tls")),
          "only dc and tls may follow the ?; in a password, write ? as %3F");
      servers.require(
          values.put(name, servers.decoded(each.substring(equals + 1))) == null,
          "dc and tls may be given only once");
    }
    return values;
  }

  @Override
  public String toString() {
    return "Cassandra at " + hosts + "/" + keyspace + " in " + dataCentre;
  }
}
