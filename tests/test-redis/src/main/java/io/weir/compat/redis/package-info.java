/** Real Redis servers for tests: alone, behind Sentinel and as a cluster. */
@NullMarked
package io.weir.compat.redis;

import org.jspecify.annotations.NullMarked;
