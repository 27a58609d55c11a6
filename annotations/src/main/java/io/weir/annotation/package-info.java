/**
 * The annotations that limit endpoints, and the types of their members.
 *
 * <p>The annotations alone enforce nothing: add {@code weir-runtime} and register Weir's JAX-RS
 * feature, servlet filter or aspect, or add Weir's starter for Spring Boot.
 */
package io.weir.annotation;
