package io.weir.internal.guard;

import io.weir.InvalidRequestException;
import io.weir.internal.key.NumericParameterSource;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a call of a woven method as a request: parameters from the call, everything else from the
 * request that the thread serves, if any.
 *
 * <p>Used by one thread after the other.
 */
final class CallInfo implements RequestInfo, NumericParameterSource {
  private final String endpoint;
  private final Optional<RequestInfo> around;
  private final List<String> names;
  private final @Nullable Object[] values;
  private final boolean needsAddress;

  /**
   * Makes the request of a call.
   *
   * @param needsAddress whether a policy of the method may count by address
   */
  CallInfo(
      String endpoint,
      Optional<RequestInfo> around,
      List<String> names,
      @Nullable Object[] values,
      boolean needsAddress) {
    this.endpoint = endpoint;
    this.around = around;
    this.names = names;
    this.values = values;
    this.needsAddress = needsAddress;
  }

  @Override
  public String endpoint() {
    return endpoint;
  }

  @Override
  public String method() {
    return around.map(RequestInfo::method).orElse("");
  }

  @Override
  public String answeredMethod() {
    return around.map(RequestInfo::answeredMethod).orElse("");
  }

  @Override
  public List<String> headers(String name) {
    return around.map(request -> request.headers(name)).orElse(List.of());
  }

  @Override
  public Optional<String> query(String name) {
    return asked(request -> request.query(name));
  }

  @Override
  public List<String> queries(String name) {
    return around.map(request -> request.queries(name)).orElse(List.of());
  }

  @Override
  public Optional<String> path(String name) {
    return asked(request -> request.path(name));
  }

  @Override
  public Optional<String> cookie(String name) {
    return asked(request -> request.cookie(name));
  }

  @Override
  public List<String> cookies(String name) {
    return around.map(request -> request.cookies(name)).orElse(List.of());
  }

  /**
   * Returns a parameter as text.
   *
   * @throws InvalidRequestException if the framework has joined several values of the request
   */
  @Override
  public Optional<String> parameter(String name) {
    Optional<String> text = value(name).flatMap(ParameterText::of);
    if (text.isPresent() && around.isPresent() && around.get().isJoined(text.get())) {
      throw new InvalidRequestException(
          "The parameter " + name + " has several values; send one of them alone.");
    }
    return text;
  }

  @Override
  public Optional<String> number(String name) {
    return value(name).flatMap(ParameterText::ofNumber);
  }

  private Optional<Object> value(String name) {
    int index = names.indexOf(name);
    return index < 0 ? Optional.empty() : Optional.ofNullable(values[index]);
  }

  @Override
  public Optional<String> user() {
    return asked(RequestInfo::user);
  }

  @Override
  public Optional<String> issuer() {
    return asked(RequestInfo::issuer);
  }

  @Override
  public Optional<String> peer() {
    if (needsAddress && around.isEmpty()) {
      NoCallerWarning.warn(endpoint);
    }
    return asked(RequestInfo::peer);
  }

  @Override
  public Optional<String> address() {
    return asked(RequestInfo::address);
  }

  private Optional<String> asked(Function<RequestInfo, Optional<String>> question) {
    return around.flatMap(question);
  }
}
