package io.weir.spi;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The data of a request from which key, tier and cost are read. Each adapter implements it over its
 * own request type. Header fields, user and peer have no default: forgetting one opens limits. What
 * else it doesn't override, a request of that type doesn't have.
 *
 * <p>Used by one thread at a time, and only while the request lasts.
 */
public interface RequestInfo {
  /**
   * Returns the HTTP method.
   *
   * @return the method as sent, such as {@code GET}; empty outside of HTTP
   */
  String method();

  /**
   * Returns the HTTP method whose code answers, which determines the cost: {@code GET} for a {@code
   * HEAD} without code of its own.
   *
   * @return {@link #method()} unless overridden
   */
  default String answeredMethod() {
    return method();
  }

  /**
   * Returns the endpoint that answers: for JAX-RS the template of the resource below the
   * application's path, without regular expressions and trailing slash ({@code /posts/{id}}); for a
   * servlet the decoded path below the context; for a woven method its class and name ({@code
   * Search#search}). Never the undecoded path that callers choose.
   *
   * @return the endpoint; empty if the adapter doesn't know it
   */
  default String endpoint() {
    return "";
  }

  /**
   * Returns whether {@link #endpoint()} is a template, in which {@code {id}} is a variable. In a
   * path such a segment is text that callers may choose.
   *
   * @return false unless overridden
   */
  default boolean hasTemplate() {
    return false;
  }

  /**
   * Returns the same request at other endpoints, if another server answers it and may interpret the
   * path in several ways. A {@link io.weir.RequestChecker} admits it if the policies of all these
   * endpoints admit it, and charges each bucket once.
   *
   * @return the requests, which have no other readings of their own; none unless overridden
   */
  default List<? extends RequestInfo> otherReadings() {
    return List.of();
  }

  /**
   * Returns the mapping that matched: for JAX-RS the same as {@link #endpoint()}, for a servlet its
   * URL pattern, such as {@code /api/*}. The application limits their number, whatever callers
   * send.
   *
   * @return the mapping; empty if the adapter doesn't know it
   */
  default String mapping() {
    return "";
  }

  /**
   * Returns whether an exception in the settings may leave the request out of a policy. Not if it
   * may carry a credential, by which passwords could be tried without limit, nor if its path is
   * spelled so that the server and the application's code may read it in different ways.
   *
   * @return unless overridden, whether there is no header {@code Authorization}
   */
  default boolean mayBeLeftOut() {
    return headers("Authorization").isEmpty();
  }

  /**
   * Returns the values of a request header, one for each line.
   *
   * @param name the name in any case
   * @return the values in order, without surrounding blanks and tabs; none if the header is missing
   */
  List<String> headers(String name);

  /**
   * Returns the first value of a query parameter, decoded. Never reads the request's body.
   *
   * @param name the name, case-sensitive
   * @return the value, possibly an empty text; empty if the parameter is missing
   */
  default Optional<String> query(String name) {
    return Optional.empty();
  }

  /**
   * Returns all values of a query parameter, decoded; a cost must have only one. Never reads the
   * request's body.
   *
   * @param name the name, case-sensitive
   * @return the values in order; values that can't be decoded as they were sent. At most the first
   *     unless overridden
   */
  default List<String> queries(String name) {
    return query(name).stream().toList();
  }

  /**
   * Returns a parameter of the matched path, decoded.
   *
   * @param name the name of the template's variable
   * @return the value; empty if there is none, or no template
   */
  default Optional<String> path(String name) {
    return Optional.empty();
  }

  /**
   * Returns the value of a cookie.
   *
   * @param name the name, case-sensitive
   * @return the value of the first cookie of this name; empty if there is none
   */
  default Optional<String> cookie(String name) {
    return Optional.empty();
  }

  /**
   * Returns the values of all cookies of a name; a cost must have only one.
   *
   * @param name the name, case-sensitive
   * @return the values in order; at most the first unless overridden
   */
  default List<String> cookies(String name) {
    return cookie(name).stream().toList();
  }

  /**
   * Returns the value of a form field, as {@code getParameter} of servlets does: of the query or of
   * the body, also of a multipart form. Only while a policy is decided that reads the body, by its
   * key, its cost or its {@linkplain RequestCondition#needsBody() condition}.
   *
   * @param name the name, case-sensitive
   * @return the value, possibly an empty text; empty if the field is missing, or the adapter
   *     doesn't read bodies
   * @throws io.weir.InvalidRequestException if the field has several values, or the body isn't a
   *     well-formed form; the request is answered with 400
   */
  default Optional<String> form(String name) {
    return Optional.empty();
  }

  /**
   * Returns a value of the JSON in the body. Only while a policy is decided that reads the body, as
   * {@link #form}; it needs Jackson's {@code jackson-core} 2.
   *
   * @param pointer a JSON Pointer (RFC 6901), such as {@code /user/email}; names are compared
   *     without regard to case, since readers of JSON may do so
   * @return a text, a whole number in digits, {@code true} or {@code false}; empty if the value is
   *     missing or null, or the adapter doesn't read bodies
   * @throws io.weir.InvalidRequestException if the value is anything else, if a name on the way is
   *     repeated, or if the body isn't well-formed JSON; the request is answered with 400
   */
  default Optional<String> json(String pointer) {
    return Optional.empty();
  }

  /**
   * Returns a value of the JSON in the body as {@link #json} does, but also a number with a
   * fraction, as it was sent.
   *
   * @param pointer a JSON Pointer, such as {@code /amount}
   * @return the value; {@link #json} unless overridden
   */
  default Optional<String> jsonNumber(String pointer) {
    return json(pointer);
  }

  /**
   * Returns a parameter of the called method as text; for woven methods.
   *
   * @param name the parameter's name in the source
   * @return the text; empty if the parameter is null or missing
   */
  default Optional<String> parameter(String name) {
    return Optional.empty();
  }

  /**
   * Returns whether a text is what the framework makes of several values that the request has for
   * one parameter or header field, such as {@code P,P} for {@code phone=P&phone=P}. Callers can
   * make any number of such texts of one value, so none of them becomes a key.
   *
   * @param text the argument of a method
   * @return false unless overridden
   */
  default boolean isJoined(String text) {
    return false;
  }

  /**
   * Returns the name of the authenticated user.
   *
   * @return the name; empty if there is no principal, or it has no name
   */
  Optional<String> user();

  /**
   * Returns the issuer of the user's name, if several issuers may give one name to different users.
   * A policy by {@code USER} counts the users of each issuer apart.
   *
   * @return the issuer; empty unless overridden
   */
  default Optional<String> issuer() {
    return Optional.empty();
  }

  /**
   * Returns the textual address of the connection's peer, which may be a proxy.
   *
   * @return the address; empty outside of HTTP
   */
  Optional<String> peer();

  /**
   * Returns the caller's address as {@code IP} counts it: the peer's or, if that is a proxy of
   * {@code weir.proxy.trusted}, the one that the proxies report. All spellings of an address are
   * one; of IPv6 it is the block of {@code weir.ipv6.prefix} bits: {@code 2001:db8::/64}.
   *
   * @return the address or block; empty outside of HTTP. Unless overridden the {@link #peer} as it
   *     is
   */
  default Optional<String> address() {
    return peer();
  }

  /**
   * Returns the cost of the request, if another server answers it and reports the cost. It replaces
   * every other cost.
   *
   * @return permits, 1 and more; empty unless overridden
   */
  default OptionalLong cost() {
    return OptionalLong.empty();
  }

  /**
   * Returns the load of the system that answers the request, if that isn't this application.
   *
   * @return 0 (idle) to 1 (fully loaded); empty, unless overridden, for the load of this node
   */
  default OptionalDouble load() {
    return OptionalDouble.empty();
  }

  /**
   * Returns the caller's tier as reported by another server. It is used only if neither a {@link
   * TierResolver} nor a {@link PolicySource} knows the tier of this caller.
   *
   * @return the name of the tier; empty unless overridden
   */
  default Optional<String> tier() {
    return Optional.empty();
  }
}
