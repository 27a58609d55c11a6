package io.weir.internal.store;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The login and the servers of an address: {@code [user[:password]@]host[:port][,…]}.
 *
 * <p>Messages name the rule but repeat nothing of the address: what stands in place of a host or a
 * port may be half of a password. Immutable; its text shows no password.
 */
public final class ServerList {
  private static final Pattern HOST = Pattern.compile("\\[([^\\[\\]]+)]|([^\\[\\]:]+)");
  private static final Pattern PORT = Pattern.compile("\\d{1,5}");
  private static final int MAX_PORT = 65_535;

  private final String form;
  private final String user;
  private final String password;
  private final List<InetSocketAddress> servers;

  /**
   * Reads the part of an address before its path.
   *
   * @param address the value of {@code weir.store}
   * @param standardPort that of servers without a port
   * @param form how an address looks, for messages
   * @throws IllegalArgumentException if it is malformed
   */
  public ServerList(URI address, int standardPort, String form) {
    this.form = form;
    String authority = address.getRawAuthority();
    require(authority != null, "the host is missing");
    require(address.getRawFragment() == null, "in a password, write # as %23");
    int at = authority.lastIndexOf('@');
    String[] login = authority.substring(0, Math.max(0, at)).split(":", 2);
    servers =
        Arrays.stream(authority.substring(at + 1).split(",", -1))
            .map(each -> server(each, standardPort))
            .toList();
    user = decoded(login[0]);
    password = login.length < 2 ? "" : decoded(login[1]);
  }

  private InetSocketAddress server(String text, int standardPort) {
    int colon = text.indexOf(':', text.lastIndexOf(']') + 1);
    Matcher host = HOST.matcher(colon < 0 ? text : text.substring(0, colon));
    require(host.matches(), "a host is a name, an IPv4 address or an IPv6 address in brackets");
    return InetSocketAddress.createUnresolved(
        host.group(1) == null ? host.group(2) : host.group(1),
        colon < 0 ? standardPort : port(text.substring(colon + 1)));
  }

  private int port(String text) {
    int port = PORT.matcher(text).matches() ? Integer.parseInt(text) : 0;
    require(
        port >= 1 && port <= MAX_PORT,
        "a port is 1 to 65535; in a password, write / as %2F and @ as %40");
    return port;
  }

  /**
   * Decodes a part of the address as in a path, where a plus is a plus.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      // Without its cause, whose message may repeat the password.
      throw broken("in a user or password, write % as %25");
    }
  }

  /**
   * Checks a rule of the address.
   *
   * @throws IllegalArgumentException if it isn't met
   */
  public void require(boolean isMet, String rule) {
    if (!isMet) {
      throw broken(rule);
    }
  }

  private IllegalArgumentException broken(String rule) {
    return new IllegalArgumentException("weir.store must be " + form + ": " + rule);
  }

  /** Returns at least one server, not resolved yet. */
  public List<InetSocketAddress> servers() {
    return servers;
  }

  /** Returns the user; empty for none. */
  public String user() {
    return user;
  }

  /** Returns the password; empty for none. */
  public String password() {
    return password;
  }

  @Override
  public String toString() {
    return servers.toString();
  }
}
