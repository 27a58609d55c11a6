/** Reads paths in every way in which a server may read them. */
@NullMarked
package io.weir.internal.control.decide.path;

import org.jspecify.annotations.NullMarked;
