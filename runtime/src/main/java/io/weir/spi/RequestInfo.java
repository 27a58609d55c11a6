package io.weir.spi;

import io.weir.internal.key.HeaderTrimmer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What an adapter knows of a request. Each adapter implements it over its own request type; key,
 * tier and cost are read from nothing else.
 *
 * <p>Used by one thread at a time, and only while the request lasts.
 */
public interface RequestInfo {
  /**
   * The HTTP method.
   *
   * @return in upper case as sent, {@code GET} say; empty outside of HTTP
   */
  String method();

  /**
   * The HTTP method whose code answers, which says what the request costs: {@code GET} for a {@code
   * HEAD} that has no code of its own.
   *
   * @return {@link #method()}, unless an adapter knows better
   */
  default String answeredMethod() {
    return method();
  }

  /**
   * What answers the request: in JAX-RS the template of the resource below the application's path,
   * without regular expressions and a slash at the end ({@code /posts/{id}}); of a servlet the
   * decoded path below the context; of a woven method its class and name ({@code Search#search}).
   * Never a raw spelling that callers choose.
   *
   * @return empty if the adapter doesn't know
   */
  default String endpoint() {
    return "";
  }

  /**
   * Whether {@link #endpoint()} is a template, in which {@code {id}} is a variable. In a path such
   * a segment is text that callers may choose.
   *
   * @return false unless overridden
   */
  default boolean hasTemplate() {
    return false;
  }

  /**
   * The same request under the other endpoints that the server may take it for, where somebody else
   * serves it and its path can be read in several ways. A {@link io.weir.RequestChecker} admits it
   * if the policies of each admit it, and asks each bucket once.
   *
   * @return none unless overridden; they have no other readings of their own
   */
  default List<? extends RequestInfo> otherReadings() {
    return List.of();
  }

  /**
   * What leads to it: in JAX-RS the same as {@link #endpoint()}, of a servlet its mapping, {@code
   * /api/*} say. There are only as many as the application has, whatever callers send.
   *
   * @return empty if the adapter doesn't know
   */
  default String mapping() {
    return "";
  }

  /**
   * The values of a request header, one for each line in which it came.
   *
   * @param name without regard to case
   * @return in order, without blanks and tabs around them, see {@link HeaderTrimmer}; empty if
   *     there is none
   */
  List<String> headers(String name);

  /**
   * The first value of a query parameter, decoded. Never reads a request body.
   *
   * @param name with regard to case
   * @return the value, perhaps an empty text; nothing if there is none
   */
  Optional<String> query(String name);

  /**
   * All values of a query parameter, decoded; of a cost there must be only one. Never reads a
   * request body.
   *
   * @param name with regard to case
   * @return in order; one that can't be decoded as it was sent. Unless overridden at most the first
   */
  default List<String> queries(String name) {
    return query(name).stream().toList();
  }

  /**
   * A parameter of the matched path, decoded.
   *
   * @param name the template variable's name
   * @return the value; nothing if there is none, or no templates
   */
  Optional<String> path(String name);

  /**
   * The value of a cookie.
   *
   * @param name with regard to case
   * @return the value of the first one of that name
   */
  Optional<String> cookie(String name);

  /**
   * The values of all cookies of a name; of a cost there must be only one.
   *
   * @param name with regard to case
   * @return in order; unless overridden at most the first
   */
  default List<String> cookies(String name) {
    return cookie(name).stream().toList();
  }

  /**
   * A parameter of the method that is called, as text; for woven methods.
   *
   * @param name the parameter's name in the source
   * @return nothing if it is null or there is no such parameter
   */
  Optional<String> parameter(String name);

  /**
   * The name of the authenticated user.
   *
   * @return nothing if there is no principal, or it has no name
   */
  Optional<String> user();

  /**
   * The textual address of the peer of the connection, not of anybody it speaks for.
   *
   * @return nothing outside of HTTP
   */
  Optional<String> peer();

  /**
   * What the request costs, where somebody else serves it and says so: that replaces every other
   * cost.
   *
   * @return permits, 1 and more; nothing unless overridden
   */
  default OptionalLong cost() {
    return OptionalLong.empty();
  }

  /**
   * How busy the system is that serves the request, where that isn't this application.
   *
   * @return 0 (idle) to 1 (fully loaded); nothing, unless overridden, for the load of this node
   */
  default OptionalDouble load() {
    return OptionalDouble.empty();
  }

  /**
   * The caller's tier as somebody else says it. It counts only where neither a {@link TierResolver}
   * nor a {@link PolicySource} knows the tier of this caller.
   *
   * @return nothing unless overridden
   */
  default Optional<String> tier() {
    return Optional.empty();
  }
}
