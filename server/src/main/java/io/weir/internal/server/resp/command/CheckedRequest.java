package io.weir.internal.server.resp.command;

import io.netty.util.NetUtil;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.spi.RequestInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A request that a client of {@code WEIR.CHECK} has described, checked by the rules of {@code POST
 * /check}.
 *
 * <p>Immutable.
 */
final class CheckedRequest implements RequestInfo {
  private static final int LONGEST_USER = 500;
  private static final int LONGEST_KEY = 8_192;
  private static final int LONGEST_TIER = 50;
  private static final int LONGEST_NAME = 255;
  private static final int MOST_ATTRIBUTES = 100;
  private static final Pattern METHOD = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,40}");
  private static final String HEADER = "header:";
  private static final Set<String> PLACES = Set.of(HEADER, "query:", "cookie:", "path:", "param:");

  private final Optional<String> user;
  private final String endpoint;
  private final String method;
  private final Optional<String> ip;
  private final Optional<String> tier;
  private final OptionalLong cost;
  private final Map<String, String> attributes;

  private CheckedRequest(Builder from, String endpoint) {
    this.user = from.user;
    this.endpoint = endpoint;
    this.method = from.method;
    this.ip = from.ip;
    this.tier = from.tier;
    this.cost = from.cost;
    this.attributes = Map.copyOf(from.attributes);
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public String answeredMethod() {
    return method.equals("HEAD") ? "GET" : method;
  }

  @Override
  public String endpoint() {
    return endpoint;
  }

  @Override
  public List<String> headers(String name) {
    return find(HEADER, name).map(String::strip).stream().toList();
  }

  @Override
  public Optional<String> query(String name) {
    return find("query:", name);
  }

  @Override
  public Optional<String> path(String name) {
    return find("path:", name);
  }

  @Override
  public Optional<String> cookie(String name) {
    return find("cookie:", name);
  }

  @Override
  public Optional<String> parameter(String name) {
    return find("param:", name);
  }

  private Optional<String> find(String place, String name) {
    return Optional.ofNullable(attributes.get(spelled(place + name)));
  }

  /** Case doesn't count in names of headers. */
  private static String spelled(String expression) {
    return expression.startsWith(HEADER) ? expression.toLowerCase(Locale.ROOT) : expression;
  }

  @Override
  public Optional<String> user() {
    return user;
  }

  @Override
  public Optional<String> peer() {
    return ip;
  }

  @Override
  public OptionalLong cost() {
    return cost;
  }

  @Override
  public Optional<String> tier() {
    return tier;
  }

  /** Collects what was sent, each option once. Confine to one thread. */
  static final class Builder {
    private final Optional<String> user;
    private final String endpoint;
    private final String callerExpression;
    private final Map<String, String> attributes = new HashMap<>();
    private String method = "";
    private Optional<String> ip = Optional.empty();
    private Optional<String> apiKey = Optional.empty();
    private Optional<String> tier = Optional.empty();
    private OptionalLong cost = OptionalLong.empty();

    Builder(String user, String endpoint, String callerExpression) throws CommandException {
      this.user =
          user.isEmpty() ? Optional.empty() : Optional.of(text("userId", user, LONGEST_USER));
      this.endpoint = endpoint;
      this.callerExpression = callerExpression;
    }

    private static String text(String what, String text, int longest) throws CommandException {
      if (text.isBlank() || text.length() > longest) {
        throw CommandException.of(
            what + " must not be blank, and have at most " + longest + " characters");
      }
      return text;
    }

    private static void once(boolean isFirst) throws CommandException {
      if (!isFirst) {
        throw CommandException.syntax();
      }
    }

    void method(String sent) throws CommandException {
      once(method.isEmpty());
      if (!METHOD.matcher(sent).matches()) {
        throw CommandException.of("METHOD must be an HTTP method");
      }
      method = sent.toUpperCase(Locale.ROOT);
    }

    void ip(String sent) throws CommandException {
      once(ip.isEmpty());
      if (!NetUtil.isValidIpV4Address(sent) && !NetUtil.isValidIpV6Address(sent)) {
        throw CommandException.of("IP must be an IPv4 or IPv6 address");
      }
      ip = Optional.of(sent);
    }

    void apiKey(String sent) throws CommandException {
      once(apiKey.isEmpty());
      if (!isExpression(callerExpression)) {
        throw CommandException.of(
            "APIKEY must be left out, since weir.rules.caller doesn't say where a key is read");
      }
      apiKey = Optional.of(text("APIKEY", sent, LONGEST_KEY));
    }

    void tier(String sent) throws CommandException {
      once(tier.isEmpty());
      tier = Optional.of(text("TIER", sent, LONGEST_TIER));
    }

    void cost(long permits) throws CommandException {
      once(cost.isEmpty());
      cost = OptionalLong.of(permits);
    }

    void attribute(String name, String value) throws CommandException {
      if (!isExpression(name)) {
        throw CommandException.of(
            "ATTR must be named header:, query:, cookie:, path: or param: and a name of at most "
                + LONGEST_NAME
                + " characters");
      }
      if (attributes.size() == MOST_ATTRIBUTES) {
        throw CommandException.of("there may be at most " + MOST_ATTRIBUTES + " ATTR");
      }
      once(attributes.put(spelled(name), value) == null);
    }

    private static boolean isExpression(String text) {
      int colon = text.indexOf(':');
      return colon > 0
          && PLACES.contains(text.substring(0, colon + 1))
          && text.length() > colon + 1
          && text.length() - colon - 1 <= LONGEST_NAME;
    }

    CheckedRequest build() throws CommandException {
      if (user.isEmpty() && ip.isEmpty() && apiKey.isEmpty()) {
        throw CommandException.of("userId must be given, or APIKEY, or IP");
      }
      apiKey.ifPresent(key -> attributes.put(spelled(callerExpression), key));
      return new CheckedRequest(this, EndpointSpelling.of(endpoint));
    }
  }
}
