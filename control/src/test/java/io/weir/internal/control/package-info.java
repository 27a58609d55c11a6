/** Parts of the control API by themselves. */
@NullMarked
package io.weir.internal.control;

import org.jspecify.annotations.NullMarked;
