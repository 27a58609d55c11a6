package io.weir.internal.control.rest;

import io.weir.adapter.RequestValues;
import io.weir.internal.control.decide.path.EndpointPathParser;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.rest.GatewayHeaders.Lines;
import io.weir.internal.control.settings.ControlSettings;
import io.weir.spi.RequestInfo;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The request that a gateway describes: method and URI from the gateway's headers, all other
 * headers as the client sent them. The gateway has the role to check requests, so it is a trusted
 * proxy: its own entry, the last of {@code X-Forwarded-For}, is the peer, and the entries before it
 * are read as those of any trusted proxy.
 *
 * <p>Immutable.
 */
final class GatewayRequest implements RequestInfo {
  private static final String FORWARDED_FOR = "X-Forwarded-For";
  private static final String HEADER = "header:";

  /** Carries the gateway's token if {@code Authorization} is the client's. */
  private static final String GATEWAY_TOKEN = "X-Weir-Token";

  private static final int DELETE = 0x7f;

  private final HttpHeaders sent;
  private final String method;
  private final String uri;
  private final List<String> readings;
  private final List<String> hops;
  private final Optional<String> user;
  private final Map<String, String> key;
  private final Function<RequestInfo, Optional<String>> addresses;

  private GatewayRequest(
      HttpHeaders sent,
      String method,
      String uri,
      List<String> readings,
      List<String> hops,
      Optional<String> user,
      Map<String, String> key,
      Function<RequestInfo, Optional<String>> addresses) {
    this.sent = sent;
    this.method = method;
    this.uri = uri;
    this.readings = List.copyOf(readings);
    this.hops = hops;
    this.user = user;
    this.key = key;
    this.addresses = addresses;
  }

  /**
   * Reads the headers of a gateway.
   *
   * @throws InvalidFieldException if they don't describe the request or its caller
   */
  static GatewayRequest of(
      HttpHeaders sent,
      UnaryOperator<String> settings,
      Function<RequestInfo, Optional<String>> addresses) {
    Lines lines = sent.getRequestHeaders()::get;
    GatewayHeaders headers = GatewayHeaders.of(ControlSettings.FORWARD_BY.read(settings), lines);
    String method = headers.method(lines).toUpperCase(Locale.ROOT);
    String uri = headers.uri(lines);
    if (!uri.startsWith("/")) {
      throw new InvalidFieldException("endpoint", "must begin with /");
    }
    if (!uri.chars()
        .allMatch(each -> each > ' ' && each < DELETE)) { // servers read others differently
      throw new InvalidFieldException(
          "endpoint", "must be ASCII without spaces; encode other characters with %");
    }
    List<String> hops = hops(lines.of(FORWARDED_FOR));
    Optional<String> user = headerOf(ControlSettings.FORWARD_USER.read(settings), lines);
    Optional<String> key = headerOf(ControlSettings.FORWARD_KEY.read(settings), lines);
    if (hops.isEmpty() && user.isEmpty() && key.isEmpty()) {
      throw new InvalidFieldException(
          FORWARDED_FOR,
          "must be sent by the gateway, or the headers of weir.control.forward.user or .key");
    }
    String place = settings.apply("weir.rules.caller");
    return new GatewayRequest(
        sent,
        method,
        uri,
        EndpointPathParser.readings(uri),
        hops,
        user,
        key.isPresent() && place.startsWith(HEADER)
            ? Map.of(place.substring(HEADER.length()).toLowerCase(Locale.ROOT), key.get())
            : Map.of(),
        addresses);
  }

  private static Optional<String> headerOf(String header, Lines lines) {
    List<String> values = header.isBlank() ? null : lines.of(header.strip());
    return values == null
        ? Optional.empty()
        : values.stream().map(String::strip).filter(each -> !each.isEmpty()).findFirst();
  }

  private static List<String> hops(@Nullable List<String> lines) {
    List<String> hops = new ArrayList<>();
    for (String line : lines == null ? List.<String>of() : lines) {
      for (String each : line.split(",")) {
        hops.add(each.strip());
      }
    }
    return hops;
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
    return readings.get(0);
  }

  /** Weir's own token isn't a credential of the client. */
  @Override
  public boolean mayBeLeftOut() {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(sent.getRequestHeaders().keySet());
    if (!names.remove(GATEWAY_TOKEN)) {
      names.remove(HttpHeaders.AUTHORIZATION);
    }
    int begin = uri.indexOf('?');
    return RequestValues.mayBeLeftOut(names, begin < 0 ? null : uri.substring(begin + 1));
  }

  @Override
  public List<GatewayRequest> otherReadings() {
    return readings.subList(1, readings.size()).stream()
        .map(
            each ->
                new GatewayRequest(sent, method, uri, List.of(each), hops, user, key, addresses))
        .toList();
  }

  @Override
  public List<String> headers(String name) {
    if (name.equalsIgnoreCase(FORWARDED_FOR)) {
      return hops.size() < 2
          ? List.of()
          : List.of(String.join(",", hops.subList(0, hops.size() - 1)));
    }
    String given = key.get(name.toLowerCase(Locale.ROOT));
    if (given != null) {
      return List.of(given);
    }
    List<String> lines = sent.getRequestHeaders().get(name);
    return lines == null ? List.of() : lines.stream().map(String::strip).toList();
  }

  @Override
  public Optional<String> query(String name) {
    return queries(name).stream().findFirst();
  }

  @Override
  public List<String> queries(String name) {
    int begin = uri.indexOf('?');
    return RequestValues.queries(begin < 0 ? null : uri.substring(begin + 1), name);
  }

  @Override
  public Optional<String> cookie(String name) {
    Cookie cookie = sent.getCookies().get(name);
    return cookie == null ? Optional.empty() : Optional.ofNullable(cookie.getValue());
  }

  @Override
  public Optional<String> user() {
    return user;
  }

  @Override
  public Optional<String> peer() {
    return hops.isEmpty() ? Optional.empty() : Optional.of(hops.get(hops.size() - 1));
  }

  @Override
  public Optional<String> address() {
    return addresses.apply(this);
  }
}
