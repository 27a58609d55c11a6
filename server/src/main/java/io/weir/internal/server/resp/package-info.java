/** The Redis protocol: the listener, its connections and their limits. */
@NullMarked
package io.weir.internal.server.resp;

import org.jspecify.annotations.NullMarked;
