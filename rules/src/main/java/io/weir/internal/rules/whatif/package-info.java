/** Puts limits that aren't in force against recorded usage. */
@NullMarked
package io.weir.internal.rules.whatif;

import org.jspecify.annotations.NullMarked;
