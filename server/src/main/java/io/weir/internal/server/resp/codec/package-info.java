/** How commands are read and replies are written in the Redis protocol. Knows no command. */
@NullMarked
package io.weir.internal.server.resp.codec;

import org.jspecify.annotations.NullMarked;
