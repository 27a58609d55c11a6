/** Reads what only the application's server knows: the peer's address. Not for use by others. */
@NullMarked
package io.weir.internal.container;

import org.jspecify.annotations.NullMarked;
