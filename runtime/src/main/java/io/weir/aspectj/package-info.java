/**
 * Limits for any method, woven in by AspectJ: {@link io.weir.aspectj.RateLimitAspect}. The only
 * package that knows AspectJ.
 */
@NullMarked
package io.weir.aspectj;

import org.jspecify.annotations.NullMarked;
