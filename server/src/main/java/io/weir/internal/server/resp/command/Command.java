package io.weir.internal.server.resp.command;

import io.weir.internal.server.resp.codec.CommandArguments;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import org.jspecify.annotations.Nullable;

/**
 * Executes a command. One object serves all connections, each in its own thread.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
interface Command {
  /**
   * Executes it, without blocking.
   *
   * @param args as many as the command takes; valid until this returns
   * @param out writes the reply, if it is known at once
   * @return the reply if it isn't known yet, and then nothing was written; otherwise null
   * @throws CommandException if it can't be executed; nothing was written then
   */
  @Nullable PendingReply execute(CommandArguments args, RespSession session, ReplyWriter out)
      throws CommandException;
}
