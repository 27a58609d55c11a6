/** Lists the policies in force and their buckets, and switches policies off for a while. */
@NullMarked
package io.weir.internal.control.admin.policies;

import org.jspecify.annotations.NullMarked;
