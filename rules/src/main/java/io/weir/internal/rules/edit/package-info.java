/** How rows are changed: checked, from the version that the author has seen, and back again. */
@NullMarked
package io.weir.internal.rules.edit;

import org.jspecify.annotations.NullMarked;
