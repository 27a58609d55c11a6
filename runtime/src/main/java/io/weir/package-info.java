/**
 * The model that every part of Weir speaks: a {@link io.weir.RateLimiter} answers each request with
 * a {@link io.weir.Decision}, by {@link io.weir.Policy} and {@link io.weir.Key}.
 */
@NullMarked
package io.weir;

import org.jspecify.annotations.NullMarked;
