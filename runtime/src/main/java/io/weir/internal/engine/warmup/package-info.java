/** Prepares a node for its first request. */
@NullMarked
package io.weir.internal.engine.warmup;

import org.jspecify.annotations.NullMarked;
