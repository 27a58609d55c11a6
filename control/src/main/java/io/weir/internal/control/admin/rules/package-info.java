/** Administers rules and costs: one by one, a tier at once, or all as one file. */
@NullMarked
package io.weir.internal.control.admin.rules;

import org.jspecify.annotations.NullMarked;
