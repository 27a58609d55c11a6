/** Puts the parts of the rules together: by hand, and as settings want it. */
@NullMarked
package io.weir.internal.rules.assembly;

import org.jspecify.annotations.NullMarked;
