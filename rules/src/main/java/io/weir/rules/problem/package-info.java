/** Rows that can't be read, and the exceptions of this module. */
@NullMarked
package io.weir.rules.problem;

import org.jspecify.annotations.NullMarked;
