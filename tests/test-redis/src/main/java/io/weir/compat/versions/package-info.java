/** Nodes of the version before and of this one on one store. */
@NullMarked
package io.weir.compat.versions;

import org.jspecify.annotations.NullMarked;
