/**
 * Decides requests: all or nothing over several policies, by mode and load, with the store or
 * without it. {@code RateLimiterWiring} puts the parts together.
 */
@NullMarked
package io.weir.internal.engine;

import org.jspecify.annotations.NullMarked;
