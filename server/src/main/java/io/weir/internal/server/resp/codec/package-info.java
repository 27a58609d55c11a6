/** Reads commands and writes replies in the Redis protocol, whatever the commands are. */
@NullMarked
package io.weir.internal.server.resp.codec;

import org.jspecify.annotations.NullMarked;
