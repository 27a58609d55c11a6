/** Reads which versions of libraries a stack's platform manages, by Maven's own model builder. */
@NullMarked
package io.weir.compat.stack.platform;

import org.jspecify.annotations.NullMarked;
