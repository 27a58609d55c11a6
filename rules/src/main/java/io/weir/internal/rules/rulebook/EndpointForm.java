package io.weir.internal.rules.rulebook;

import io.weir.spi.RequestInfo;

/**
 * Distinguishes the forms of an endpoint. Braces have a meaning in templates and patterns only: in
 * a path they are text that a caller may choose, and must not change where its segments end.
 */
public enum EndpointForm {
  /** The template of a resource: a slash within braces separates nothing. */
  TEMPLATE,
  /** A decoded path: each slash ends a segment, and a segment in braces is text. */
  PATH;

  /**
   * The form of a request's endpoint.
   *
   * @param request the request
   * @return a path unless the adapter says that it knows the template
   */
  public static EndpointForm of(RequestInfo request) {
    return request.hasTemplate() ? TEMPLATE : PATH;
  }

  /**
   * The form of an endpoint that a person wrote down.
   *
   * @param endpoint a template or a path
   * @return a template if it could be the pattern of a rule
   */
  public static EndpointForm written(String endpoint) {
    try {
      return EndpointPattern.parse(endpoint).hasRest() ? PATH : TEMPLATE;
    } catch (IllegalArgumentException noPattern) {
      return PATH;
    }
  }

  /** Whether a path has to be kept apart from a template of the same text. */
  boolean differs(String endpoint) {
    return this == PATH && endpoint.indexOf('{') >= 0;
  }
}
