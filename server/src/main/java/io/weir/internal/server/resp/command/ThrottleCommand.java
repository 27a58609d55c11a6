package io.weir.internal.server.resp.command;

import io.weir.internal.server.resp.codec.CommandArguments;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import io.weir.store.GcraReply;
import io.weir.store.GcraRequest;
import org.jspecify.annotations.Nullable;

/**
 * Executes {@code CL.THROTTLE}.
 *
 * <p>Safe for concurrent use.
 */
final class ThrottleCommand implements Command {
  private static final int QUANTITY = 5;
  private static final int PARTS = 5;
  private static final long MICROS = 1_000_000;

  private final ExactRequestExecutor exact;

  ThrottleCommand(ExactRequestExecutor exact) {
    this.exact = exact;
  }

  @Override
  public @Nullable PendingReply execute(CommandArguments args, RespSession session, ReplyWriter out)
      throws CommandException {
    long maxBurst = args.number(2, 0, GcraRequest.MAX);
    long count = args.number(3, 1, GcraRequest.MAX);
    long period = args.number(4, 1, GcraRequest.MAX);
    long quantity = args.count() > QUANTITY ? args.number(QUANTITY, 0, Long.MAX_VALUE) : 1;
    if (!GcraRequest.isInRange(maxBurst, count, period, quantity)) {
      throw CommandException.notInteger();
    }
    GcraRequest request = new GcraRequest(args.bytes(1), maxBurst, count, period, quantity);
    return exact.execute(request, (reply, to) -> write(reply, maxBurst + 1, to), out);
  }

  private static void write(GcraReply reply, long limit, ReplyWriter out) {
    out.list(PARTS);
    out.number(reply.limited() ? 1 : 0);
    out.number(limit);
    out.number(reply.remaining());
    out.number(reply.retryMicros() < 0 ? -1 : seconds(reply.retryMicros()));
    out.number(seconds(reply.resetMicros()));
  }

  private static long seconds(long micros) {
    return (micros + MICROS - 1) / MICROS;
  }
}
