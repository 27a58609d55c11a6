/**
 * Limits the methods of CDI beans by their annotations: {@link io.weir.cdi.RateLimitExtension},
 * which the container finds by itself.
 */
@NullMarked
package io.weir.cdi;

import org.jspecify.annotations.NullMarked;
