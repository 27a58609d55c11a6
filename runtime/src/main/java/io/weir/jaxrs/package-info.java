/**
 * Limits the annotated resource methods of JAX-RS applications that register a {@link
 * io.weir.jaxrs.RateLimitFeature}.
 */
@NullMarked
package io.weir.jaxrs;

import org.jspecify.annotations.NullMarked;
