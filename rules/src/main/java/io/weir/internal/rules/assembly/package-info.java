/** Assembles the parts of the rules, from code or from settings. */
@NullMarked
package io.weir.internal.rules.assembly;

import org.jspecify.annotations.NullMarked;
