/** Compiles rows into a rulebook, and checks rules before they are saved. */
@NullMarked
package io.weir.internal.rules.rulebook.compile;

import org.jspecify.annotations.NullMarked;
