/** Executes the commands of the Redis protocol. */
@NullMarked
package io.weir.internal.server.resp.command;

import org.jspecify.annotations.NullMarked;
