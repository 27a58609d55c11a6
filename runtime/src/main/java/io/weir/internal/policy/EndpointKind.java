package io.weir.internal.policy;

/** What kind of endpoint carries an annotation, and so what its keys can read. */
public enum EndpointKind {
  /** A resource method of JAX-RS. */
  JAXRS,
  /** A servlet, or one of its methods. */
  SERVLET,
  /** Any method that the aspect is woven into. */
  METHOD
}
