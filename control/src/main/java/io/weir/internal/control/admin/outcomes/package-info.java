/** What the policies of all nodes decide, at present and by hour. */
@NullMarked
package io.weir.internal.control.admin.outcomes;

import org.jspecify.annotations.NullMarked;
