/** Reads and writes JSON within bounds; an error names the field and the rule. */
@NullMarked
package io.weir.internal.control.json;

import org.jspecify.annotations.NullMarked;
