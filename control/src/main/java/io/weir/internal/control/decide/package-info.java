/** Decides and explains requests that are described by others; knows nothing of HTTP. */
@NullMarked
package io.weir.internal.control.decide;

import org.jspecify.annotations.NullMarked;
