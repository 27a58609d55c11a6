/** Threads of the server's own that do something again and again. */
@NullMarked
package io.weir.internal.server.threads;

import org.jspecify.annotations.NullMarked;
