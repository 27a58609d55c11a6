/** What the commands of the Redis protocol do. */
@NullMarked
package io.weir.internal.server.resp.command;

import org.jspecify.annotations.NullMarked;
