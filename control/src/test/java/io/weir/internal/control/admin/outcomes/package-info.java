/** Decisions of the last minutes. */
@NullMarked
package io.weir.internal.control.admin.outcomes;

import org.jspecify.annotations.NullMarked;
