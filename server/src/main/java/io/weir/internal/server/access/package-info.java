/** Authenticates callers, alike for all listeners. */
@NullMarked
package io.weir.internal.server.access;

import org.jspecify.annotations.NullMarked;
