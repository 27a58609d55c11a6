package io.weir.internal.control.decide.request;

import io.weir.Policy;
import io.weir.internal.control.decide.path.EndpointPathParser;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.rules.database.StorableText;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A described request that has been checked, as policies and rules read it.
 *
 * <p>Immutable.
 */
public final class DescribedRequest implements RequestInfo {
  /** As long as the tables keep the names of users. */
  private static final int MAX_USER = 500;

  private static final int MAX_KEY = 8_192;
  private static final int MAX_TIER = 50;
  private static final Pattern METHOD = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,40}");

  private final CheckRequest sent;
  private final List<String> readings;
  private final String method;
  private final RequestAttributes attributes;
  private final Function<RequestInfo, Optional<String>> addresses;

  private DescribedRequest(
      CheckRequest sent,
      List<String> readings,
      String method,
      RequestAttributes attributes,
      Function<RequestInfo, Optional<String>> addresses) {
    this.sent = sent;
    this.readings = List.copyOf(readings);
    this.method = method;
    this.attributes = attributes;
    this.addresses = addresses;
  }

  /**
   * Checks a description.
   *
   * @param keys where requests have their key
   * @throws InvalidFieldException if it breaks a rule
   */
  public static DescribedRequest of(
      CheckRequest sent, KeyExpressions keys, Function<RequestInfo, Optional<String>> addresses) {
    text("userId", sent.userId(), MAX_USER);
    text("apiKey", sent.apiKey(), MAX_KEY);
    text("tier", sent.tier(), MAX_TIER);
    if (sent.userId() == null && sent.apiKey() == null && sent.ip() == null) {
      throw new InvalidFieldException("userId", "must be given, or else apiKey or ip");
    }
    if (sent.ip() != null && !IpAddresses.isAddress(sent.ip())) {
      throw new InvalidFieldException("ip", "must be an IPv4 or IPv6 address");
    }
    if (sent.cost() != null && (sent.cost() < 1 || sent.cost() > Policy.MAX_LIMIT)) {
      throw new InvalidFieldException("cost", "must be from 1 to " + Policy.MAX_LIMIT);
    }
    if (sent.load() != null && !(sent.load() >= 0 && sent.load() <= 1)) {
      throw new InvalidFieldException("load", "must be from 0 to 1");
    }
    return new DescribedRequest(
        sent, readings(sent), method(sent), attributes(sent, keys), addresses);
  }

  private static void text(String field, @Nullable String text, int max) {
    if (text != null && (text.isBlank() || text.length() > max)) {
      throw new InvalidFieldException(
          field, "must not be blank, and must have at most " + max + " characters");
    }
    if (text != null && !StorableText.is(text)) {
      throw new InvalidFieldException(field, StorableText.RULE);
    }
  }

  private static List<String> readings(CheckRequest sent) {
    if (sent.endpoint() == null) {
      throw new InvalidFieldException("endpoint", "must be given");
    }
    return EndpointPathParser.readings(sent.endpoint());
  }

  private static String method(CheckRequest sent) {
    if (sent.method() == null) {
      return "";
    }
    if (!METHOD.matcher(sent.method()).matches()) {
      throw new InvalidFieldException("method", "must be an HTTP method");
    }
    return sent.method().toUpperCase(Locale.ROOT);
  }

  private static RequestAttributes attributes(CheckRequest sent, KeyExpressions keys) {
    return keys.put(
        sent.apiKey(),
        RequestAttributes.of(sent.attributes() == null ? Map.of() : sent.attributes()));
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

  @Override
  public List<DescribedRequest> otherReadings() {
    if (readings.size() == 1) {
      return List.of();
    }
    return readings.subList(1, readings.size()).stream()
        .map(each -> new DescribedRequest(sent, List.of(each), method, attributes, addresses))
        .toList();
  }

  @Override
  public List<String> headers(String name) {
    return attributes.header(name);
  }

  @Override
  public Optional<String> query(String name) {
    return attributes.find("query:", name);
  }

  @Override
  public Optional<String> path(String name) {
    return attributes.find("path:", name);
  }

  @Override
  public Optional<String> cookie(String name) {
    return attributes.find("cookie:", name);
  }

  @Override
  public Optional<String> parameter(String name) {
    return attributes.find("param:", name);
  }

  @Override
  public Optional<String> form(String name) {
    return attributes.form(name);
  }

  @Override
  public Optional<String> json(String pointer) {
    return attributes.json(pointer);
  }

  @Override
  public Optional<String> user() {
    return Optional.ofNullable(sent.userId());
  }

  @Override
  public Optional<String> peer() {
    return Optional.ofNullable(sent.ip());
  }

  @Override
  public Optional<String> address() {
    return addresses.apply(this);
  }

  @Override
  public OptionalLong cost() {
    return sent.cost() == null ? OptionalLong.empty() : OptionalLong.of(sent.cost());
  }

  @Override
  public OptionalDouble load() {
    return sent.load() == null ? OptionalDouble.empty() : OptionalDouble.of(sent.load());
  }

  @Override
  public Optional<String> tier() {
    return Optional.ofNullable(sent.tier());
  }

  public Optional<String> apiKey() {
    return Optional.ofNullable(sent.apiKey());
  }

  /**
   * Returns whether the description says that the request has no such field in its body.
   *
   * @param expression of a field that the description has no value for, such as {@code form:user}
   */
  public boolean lacks(String expression) {
    return attributes.lacks(expression);
  }
}
