/** Generates attacks over HTTP, for all adapters and servers. */
@NullMarked
package io.weir.compat.attack;

import org.jspecify.annotations.NullMarked;
