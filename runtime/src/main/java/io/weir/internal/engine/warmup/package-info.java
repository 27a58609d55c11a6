/** What makes a node ready for its first request. */
@NullMarked
package io.weir.internal.engine.warmup;

import org.jspecify.annotations.NullMarked;
