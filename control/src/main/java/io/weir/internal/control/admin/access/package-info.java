/** Administers the access list. */
@NullMarked
package io.weir.internal.control.admin.access;

import org.jspecify.annotations.NullMarked;
