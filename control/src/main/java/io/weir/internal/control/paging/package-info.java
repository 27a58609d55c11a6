/** Lists in pages, and the cursors that lead from one page to the next. */
@NullMarked
package io.weir.internal.control.paging;

import org.jspecify.annotations.NullMarked;
