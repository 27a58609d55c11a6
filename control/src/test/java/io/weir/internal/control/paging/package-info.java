/** Pages and cursors. */
@NullMarked
package io.weir.internal.control.paging;

import org.jspecify.annotations.NullMarked;
