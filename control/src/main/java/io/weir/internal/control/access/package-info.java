/** Restricts resource methods to the roles and sites that may use them. */
@NullMarked
package io.weir.internal.control.access;

import org.jspecify.annotations.NullMarked;
