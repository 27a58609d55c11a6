/**
 * The annotations that limit endpoints, and the types of their members.
 *
 * <p>The annotations alone enforce nothing: add {@code weir-runtime} and register its JAX-RS
 * feature, its servlet filter or its aspect.
 */
package io.weir.annotation;
