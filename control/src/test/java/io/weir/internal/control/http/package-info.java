/** Pages and cursors. */
@NullMarked
package io.weir.internal.control.http;

import org.jspecify.annotations.NullMarked;
