/**
 * Decides requests: all or nothing over several policies, by mode and load, with the store or
 * without it. {@link io.weir.engine.RateLimiters} is where the parts are put together.
 */
@NullMarked
package io.weir.engine;

import org.jspecify.annotations.NullMarked;
