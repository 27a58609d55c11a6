package io.weir.internal.rules.rulebook.pattern;

import io.weir.spi.RequestInfo;

/**
 * Distinguishes the forms of an endpoint. Braces have a meaning in templates and patterns only: in
 * a path they are text that a caller may choose, and must not change where its segments end.
 */
public enum EndpointForm {
  /** The template of a resource: a slash within braces is no separator. */
  TEMPLATE,
  /** A decoded path: each slash ends a segment, and a segment in braces is text. */
  PATH;

  /** Returns a path unless the adapter knows the template. */
  public static EndpointForm of(RequestInfo request) {
    return request.hasTemplate() ? TEMPLATE : PATH;
  }

  /** Returns whether a path has to be kept apart from a template of the same text. */
  public boolean differs(String endpoint) {
    return this == PATH && endpoint.indexOf('{') >= 0;
  }
}
