/**
 * Decides requests: all or nothing under several policies, by mode and load, with the store or
 * without it. {@code RateLimiterWiring} assembles the parts.
 */
@NullMarked
package io.weir.internal.engine;

import org.jspecify.annotations.NullMarked;
