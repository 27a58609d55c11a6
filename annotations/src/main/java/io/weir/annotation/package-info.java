/**
 * The annotations that limit an endpoint, and the words they are written in.
 *
 * <p>The annotations alone enforce nothing: add {@code weir-runtime} and register its JAX-RS
 * feature, its servlet filter or its aspect.
 */
package io.weir.annotation;
