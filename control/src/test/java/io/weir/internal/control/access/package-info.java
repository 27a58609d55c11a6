/** Access without HTTP. */
@NullMarked
package io.weir.internal.control.access;

import org.jspecify.annotations.NullMarked;
