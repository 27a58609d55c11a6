package io.weir.adapter;

import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Distinguishes kinds of endpoints by what the keys and costs of their policies can read. Two types
 * with the same id are equal; a Weir refuses a second one that means something else.
 *
 * <p>Immutable.
 *
 * @param id a name of upper-case letters, digits and {@code _}, such as {@code JAXRS}. It is part
 *     of the names of the buckets of {@code weir.default.*}, so it never changes
 * @param pathParameters whether requests have parameters in their paths ({@code path:id})
 * @param methodParameters whether the endpoint is a call whose parameters can be read ({@code
 *     param:phone}). {@code weir.default.*} and {@code weir.application.*} limit requests, so they
 *     bind nothing to a call without an annotation
 * @param urlPatterns whether the policies of URL patterns are decided at the endpoint beside its
 *     own
 * @param bodies whether the {@code RequestInfo} of its requests is a {@link BodySource}, so that
 *     policies can read the body ({@code form:user}, {@code json:/user})
 * @param httpMethod reads the HTTP method that a Java method answers
 */
public record EndpointType(
    String id,
    boolean pathParameters,
    boolean methodParameters,
    boolean urlPatterns,
    boolean bodies,
    HttpMethodReader httpMethod) {
  /** A resource method of JAX-RS. */
  public static final EndpointType JAXRS =
      new EndpointType("JAXRS", true, false, false, true, HttpMethodAnnotation::read);

  /** A servlet, or one of its methods. */
  public static final EndpointType SERVLET =
      new EndpointType("SERVLET", false, false, true, true, EndpointType::ofServletMethod);

  /** A call of any method of the application. */
  public static final EndpointType METHOD =
      new EndpointType("METHOD", true, true, false, false, any -> Optional.empty());

  /** Reads the HTTP method that a Java method answers. */
  @FunctionalInterface
  public interface HttpMethodReader {
    /**
     * Reads one declaration. The method of the endpoint is read first, then those that it overrides
     * or implements; the first that answers an HTTP method counts.
     *
     * @param declaration a method of a class or an interface
     * @return the method in upper case, such as {@code GET}; empty if the declaration names none.
     *     If it is null, or this throws, the lookup of the endpoint fails with an {@link
     *     IllegalStateException} that names the type
     */
    Optional<String> read(Method declaration);
  }

  /**
   * Checks the id.
   *
   * @throws IllegalArgumentException if the id has other characters
   */
  public EndpointType {
    Objects.requireNonNull(httpMethod, "httpMethod");
    if (!id.matches("[A-Z][A-Z0-9_]*")) {
      throw new IllegalArgumentException(
          "the id of a type of endpoints must have upper-case letters, digits and _ alone: " + id);
    }
  }

  /**
   * Makes a type whose endpoints' bodies can't be read for policies.
   *
   * @param id a name of upper-case letters, digits and {@code _}
   * @param pathParameters whether requests have parameters in their paths
   * @param methodParameters whether the endpoint is a call whose parameters can be read
   * @param urlPatterns whether the policies of URL patterns are decided at the endpoint
   * @param httpMethod reads the HTTP method that a Java method answers
   */
  public EndpointType(
      String id,
      boolean pathParameters,
      boolean methodParameters,
      boolean urlPatterns,
      HttpMethodReader httpMethod) {
    this(id, pathParameters, methodParameters, urlPatterns, false, httpMethod);
  }

  /** Reads {@code POST} of {@code doPost}, and nothing of {@code service}. */
  private static Optional<String> ofServletMethod(Method method) {
    return Optional.of(method.getName())
        .filter(name -> name.matches("do[A-Z][a-z]+"))
        .map(name -> name.substring(2).toUpperCase(Locale.ROOT));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EndpointType that && id.equals(that.id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public String toString() {
    return id;
  }
}
