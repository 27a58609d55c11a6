/** Which node does what one node does for all. */
@NullMarked
package io.weir.internal.rules.duties;

import org.jspecify.annotations.NullMarked;
