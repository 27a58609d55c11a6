/** Patterns of endpoints and methods, and how they match requests. */
@NullMarked
package io.weir.internal.rules.rulebook.pattern;

import org.jspecify.annotations.NullMarked;
