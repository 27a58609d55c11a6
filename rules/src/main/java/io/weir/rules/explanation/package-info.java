/** Explains which limits hold for a request, and why. */
@NullMarked
package io.weir.rules.explanation;

import org.jspecify.annotations.NullMarked;
