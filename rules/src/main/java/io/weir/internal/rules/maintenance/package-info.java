/** Which node does what one node does for all. */
@NullMarked
package io.weir.internal.rules.maintenance;

import org.jspecify.annotations.NullMarked;
