package io.weir.internal.guard;

import io.weir.InvalidRequestException;
import io.weir.internal.extension.ForwardingRequestInfo;
import io.weir.internal.key.NumericParameterSource;
import io.weir.spi.RequestInfo;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a call of a woven method as a request: parameters from the call, everything else from the
 * request that the thread serves, if any.
 *
 * <p>Used by one thread after the other.
 */
final class CallInfo extends ForwardingRequestInfo implements NumericParameterSource {
  private static final RequestInfo OUTSIDE_OF_HTTP = () -> "";

  private final String endpoint;
  private final RequestInfo around;
  private final List<String> names;
  private final @Nullable Object[] values;
  private final boolean needsAddress;

  /**
   * Makes the request of a call.
   *
   * @param around the request that the thread serves
   * @param needsAddress whether a policy of the method may count by address
   */
  CallInfo(
      String endpoint,
      Optional<RequestInfo> around,
      List<String> names,
      @Nullable Object[] values,
      boolean needsAddress) {
    super(around.orElse(OUTSIDE_OF_HTTP));
    this.endpoint = endpoint;
    this.around = around.orElse(OUTSIDE_OF_HTTP);
    this.names = names;
    this.values = values;
    this.needsAddress = needsAddress;
  }

  @Override
  public String endpoint() {
    return endpoint;
  }

  /** Returns the empty string: the mapping of the request around is another endpoint's. */
  @Override
  public String mapping() {
    return "";
  }

  @Override
  public boolean hasTemplate() {
    return false;
  }

  /** Decides by the credential alone: a call has no path. */
  @Override
  public boolean mayBeLeftOut() {
    return headers("Authorization").isEmpty();
  }

  /**
   * Returns a parameter as text.
   *
   * @throws InvalidRequestException if the framework has joined several values of the request
   */
  @Override
  public Optional<String> parameter(String name) {
    Optional<String> text = value(name).flatMap(ParameterText::of);
    if (text.isPresent() && around.isJoined(text.get())) {
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
  public Optional<String> peer() {
    if (needsAddress && around == OUTSIDE_OF_HTTP) {
      NoCallerWarning.warn(endpoint);
    }
    return around.peer();
  }
}
