/** Shows the buckets of one caller, and resets them. */
@NullMarked
package io.weir.internal.control.admin.callers;

import org.jspecify.annotations.NullMarked;
