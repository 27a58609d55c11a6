/** Puts the feature together from its resources and the parts that they share. */
@NullMarked
package io.weir.internal.control;

import org.jspecify.annotations.NullMarked;
