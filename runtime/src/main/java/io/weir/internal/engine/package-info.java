/**
 * Decides requests: all or nothing over several policies, by mode and load, with the store or
 * without it. {@link io.weir.internal.engine.DefaultRateLimiterBuilder} is where the parts are put
 * together.
 */
@NullMarked
package io.weir.internal.engine;

import org.jspecify.annotations.NullMarked;
