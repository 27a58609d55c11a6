/**
 * The adapter for JAX-RS: register a {@link io.weir.jaxrs.RateLimitFeature}, and annotated resource
 * methods are limited.
 */
@NullMarked
package io.weir.jaxrs;

import org.jspecify.annotations.NullMarked;
