/** Calls of parts that the application brought, which may fail. */
@NullMarked
package io.weir.internal.extension;

import org.jspecify.annotations.NullMarked;
