/** Decides and explains requests that other programs serve; independent of HTTP. */
@NullMarked
package io.weir.internal.control.decide;

import org.jspecify.annotations.NullMarked;
