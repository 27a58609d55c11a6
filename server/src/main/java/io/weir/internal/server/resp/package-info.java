/** The Redis protocol: connections, and the server that takes them. */
@NullMarked
package io.weir.internal.server.resp;

import org.jspecify.annotations.NullMarked;
