/** Decisions, administration and self-service over HTTP, for an application to mount. */
@NullMarked
package io.weir.control;

import org.jspecify.annotations.NullMarked;
