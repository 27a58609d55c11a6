/** Lists the changes of rows, and restores earlier rows. */
@NullMarked
package io.weir.internal.control.admin.changes;

import org.jspecify.annotations.NullMarked;
