/** Decisions without HTTP. */
@NullMarked
package io.weir.internal.control.decide;

import org.jspecify.annotations.NullMarked;
