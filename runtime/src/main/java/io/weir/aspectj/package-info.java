/** Limits any method by an aspect of AspectJ: {@link io.weir.aspectj.RateLimitAspect}. */
@NullMarked
package io.weir.aspectj;

import org.jspecify.annotations.NullMarked;
