/**
 * The main API: a {@link io.weir.RateLimiter} answers each request with a {@link io.weir.Decision},
 * by {@link io.weir.Policy} and {@link io.weir.Key}; a {@link io.weir.Weir} limits an application.
 */
@NullMarked
package io.weir;

import org.jspecify.annotations.NullMarked;
