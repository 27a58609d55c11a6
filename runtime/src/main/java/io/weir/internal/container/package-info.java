/** Reads the peer's address, which only the container knows. */
@NullMarked
package io.weir.internal.container;

import org.jspecify.annotations.NullMarked;
