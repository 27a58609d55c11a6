/** Serves the outcomes of all nodes by policy, at present and by hour. */
@NullMarked
package io.weir.internal.control.admin.outcomes;

import org.jspecify.annotations.NullMarked;
