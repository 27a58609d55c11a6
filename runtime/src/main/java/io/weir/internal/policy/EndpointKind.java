package io.weir.internal.policy;

/** Distinguishes endpoints by what their keys can read. */
public enum EndpointKind {
  /** A resource method of JAX-RS. */
  JAXRS,
  /** A servlet, or one of its methods. */
  SERVLET,
  /** Any method that the aspect is woven into. */
  METHOD
}
