/** Who may use which resource method. */
@NullMarked
package io.weir.internal.control.access;

import org.jspecify.annotations.NullMarked;
