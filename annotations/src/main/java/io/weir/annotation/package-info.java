/**
 * The annotations that limit an endpoint, and the words they are written in.
 *
 * <p>Nothing here enforces anything: put {@code weir-runtime} beside it and register its JAX-RS
 * feature, its servlet filter or its aspect.
 */
package io.weir.annotation;
