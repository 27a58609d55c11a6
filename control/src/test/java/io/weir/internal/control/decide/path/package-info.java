/** Paths without HTTP. */
@NullMarked
package io.weir.internal.control.decide.path;

import org.jspecify.annotations.NullMarked;
