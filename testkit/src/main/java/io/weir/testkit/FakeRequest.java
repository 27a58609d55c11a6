package io.weir.testkit;

import io.weir.adapter.RequestValues;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A request with the values that a test sets, and no others.
 *
 * <pre>{@code
 * FakeRequest.from("192.0.2.1").header("X-Api-Key", "secret").user("alice")
 * }</pre>
 *
 * <p>Methods with a value set it and return the same request; those of {@link RequestInfo} read.
 *
 * <p>Confine to one thread.
 */
public final class FakeRequest implements RequestInfo {
  private final Map<String, List<String>> headers = new HashMap<>();
  private final Map<String, List<String>> queries = new HashMap<>();
  private final Map<String, String> paths = new HashMap<>();
  private final Map<String, List<String>> cookies = new HashMap<>();
  private final Map<String, String> parameters = new HashMap<>();
  private String method;
  private String endpoint = "";
  private boolean template;
  private String mapping = "";
  private List<RequestInfo> otherReadings = List.of();
  private OptionalLong cost = OptionalLong.empty();
  private OptionalDouble load = OptionalDouble.empty();
  private Optional<String> tier = Optional.empty();
  private Optional<String> user = Optional.empty();
  private Optional<String> issuer = Optional.empty();
  private Optional<String> peer;

  private FakeRequest(String method, Optional<String> peer) {
    this.method = method;
    this.peer = peer;
  }

  /**
   * Returns a GET request over a connection.
   *
   * @param peer the textual address of the peer
   * @return a request without headers, parameters and user
   */
  public static FakeRequest from(String peer) {
    return new FakeRequest("GET", Optional.of(peer));
  }

  /**
   * Returns a call outside of HTTP: no method, no peer.
   *
   * @return a request without any values
   */
  public static FakeRequest outsideHttp() {
    return new FakeRequest("", Optional.empty());
  }

  /**
   * Sets the HTTP method.
   *
   * @param name such as {@code POST}
   * @return this
   */
  public FakeRequest method(String name) {
    method = name;
    return this;
  }

  /**
   * Sets the endpoint that answers the request.
   *
   * @param name such as {@code /posts/{id}}
   * @return this
   */
  public FakeRequest endpoint(String name) {
    endpoint = name;
    return this;
  }

  @Override
  public String endpoint() {
    return endpoint;
  }

  /**
   * Sets the template of the resource that answers the request, as JAX-RS has it: that is both the
   * endpoint and the mapping.
   *
   * @param name such as {@code /posts/{id}}
   * @return this
   */
  public FakeRequest template(String name) {
    endpoint = name;
    mapping = name;
    template = true;
    return this;
  }

  @Override
  public boolean hasTemplate() {
    return template;
  }

  /**
   * Sets the other ways in which the server may read the request.
   *
   * @param readings the same request under other endpoints
   * @return this
   */
  public FakeRequest otherReadings(RequestInfo... readings) {
    otherReadings = List.of(readings);
    return this;
  }

  @Override
  public List<RequestInfo> otherReadings() {
    return otherReadings;
  }

  /**
   * Sets the mapping that matched the request.
   *
   * @param name such as {@code /posts/*}
   * @return this
   */
  public FakeRequest mapping(String name) {
    mapping = name;
    return this;
  }

  @Override
  public String mapping() {
    return mapping;
  }

  /**
   * Sets the cost that another server reports for the request.
   *
   * @param permits 1 and more
   * @return this
   */
  public FakeRequest cost(long permits) {
    cost = OptionalLong.of(permits);
    return this;
  }

  @Override
  public OptionalLong cost() {
    return cost;
  }

  /**
   * Sets the load of the system that answers the request.
   *
   * @param busy 0 to 1
   * @return this
   */
  public FakeRequest load(double busy) {
    load = OptionalDouble.of(busy);
    return this;
  }

  @Override
  public OptionalDouble load() {
    return load;
  }

  /**
   * Sets the caller's tier as reported by another server.
   *
   * @param name the tier's name
   * @return this
   */
  public FakeRequest tier(String name) {
    tier = Optional.of(name);
    return this;
  }

  @Override
  public Optional<String> tier() {
    return tier;
  }

  /**
   * Adds a line of a header, after those of the same name.
   *
   * @param name in any case
   * @param value the line's value
   * @return this
   */
  public FakeRequest header(String name, String value) {
    headers.computeIfAbsent(folded(name), unused -> new ArrayList<>()).add(value);
    return this;
  }

  /**
   * Adds a value of a query parameter, after those of the same name.
   *
   * @param name case-sensitive
   * @param value decoded
   * @return this
   */
  public FakeRequest query(String name, String value) {
    queries.computeIfAbsent(name, unused -> new ArrayList<>()).add(value);
    return this;
  }

  /**
   * Sets a parameter of the path.
   *
   * @param name the template variable's name
   * @param value decoded
   * @return this
   */
  public FakeRequest path(String name, String value) {
    paths.put(name, value);
    return this;
  }

  /**
   * Adds a cookie, after those of the same name.
   *
   * @param name case-sensitive
   * @param value the cookie's value
   * @return this
   */
  public FakeRequest cookie(String name, String value) {
    cookies.computeIfAbsent(name, unused -> new ArrayList<>()).add(value);
    return this;
  }

  /**
   * Sets a parameter of the method that is called.
   *
   * @param name the parameter's name
   * @param value as text
   * @return this
   */
  public FakeRequest parameter(String name, String value) {
    parameters.put(name, value);
    return this;
  }

  /**
   * Signs a user in.
   *
   * @param name the name of the principal
   * @return this
   */
  public FakeRequest user(String name) {
    user = Optional.of(name);
    return this;
  }

  /**
   * Sets the issuer of the user's name, where several issuers name users.
   *
   * @param name such as the {@code iss} of a token
   * @return this
   */
  public FakeRequest issuer(String name) {
    issuer = Optional.of(name);
    return this;
  }

  /**
   * Sets the peer of the connection.
   *
   * @param address its textual address
   * @return this
   */
  public FakeRequest peer(String address) {
    peer = Optional.of(address);
    return this;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public List<String> headers(String name) {
    return List.copyOf(RequestValues.trim(headers.getOrDefault(folded(name), List.of())));
  }

  @Override
  public Optional<String> query(String name) {
    return queries(name).stream().findFirst();
  }

  @Override
  public List<String> queries(String name) {
    return List.copyOf(queries.getOrDefault(name, List.of()));
  }

  @Override
  public Optional<String> path(String name) {
    return Optional.ofNullable(paths.get(name));
  }

  @Override
  public Optional<String> cookie(String name) {
    return cookies(name).stream().findFirst();
  }

  @Override
  public List<String> cookies(String name) {
    return List.copyOf(cookies.getOrDefault(name, List.of()));
  }

  @Override
  public Optional<String> parameter(String name) {
    return Optional.ofNullable(parameters.get(name));
  }

  @Override
  public Optional<String> user() {
    return user;
  }

  @Override
  public Optional<String> issuer() {
    return issuer;
  }

  @Override
  public Optional<String> peer() {
    return peer;
  }

  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
