package io.weir.internal.server.resp.command;

import io.weir.internal.server.resp.codec.CommandArguments;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import io.weir.store.StepRefillReply;
import io.weir.store.StepRefillRequest;
import org.jspecify.annotations.Nullable;

/**
 * Executes {@code RL.REDUCE}, {@code RL.GET}, {@code RL.SESSIONIZE} and their millisecond variants.
 *
 * <p>Safe for concurrent use.
 */
final class StepRefillCommand implements Command {
  private static final byte[] REFILL = CommandEntry.letters("REFILL");
  private static final byte[] TAKE = CommandEntry.letters("TAKE");
  private static final byte[] AT = CommandEntry.letters("AT");
  private static final byte[] STRICT = CommandEntry.letters("STRICT");

  /** Bits for the options that a command has. */
  private static final int HAS_REFILL = 1;

  private static final int HAS_TAKE = 2;
  private static final int HAS_AT = 4;
  private static final int HAS_STRICT = 8;

  private static final int FIRST_OPTION = 4;

  enum Form {
    GET,
    REDUCE,
    /** Takes tokens strictly, and returns the start of the session. */
    SESSIONIZE
  }

  private final ExactRequestExecutor exact;
  private final Form form;
  private final long millis;
  private final long maxUnits;

  /** Takes the unit of time in milliseconds: 1 or 1,000. */
  StepRefillCommand(ExactRequestExecutor exact, Form form, long millis) {
    this.exact = exact;
    this.form = form;
    this.millis = millis;
    this.maxUnits = StepRefillRequest.MAX / millis;
  }

  @Override
  public @Nullable PendingReply execute(CommandArguments args, RespSession session, ReplyWriter out)
      throws CommandException {
    StepRefillRequest request = request(args);
    return form == Form.SESSIONIZE
        ? exact.execute(request, StepRefillCommand::writeSession, out)
        : exact.execute(request, StepRefillCommand::writeTokens, out);
  }

  private static void writeTokens(StepRefillReply reply, ReplyWriter out) {
    out.number(reply.tokens());
  }

  private static void writeSession(StepRefillReply reply, ReplyWriter out) {
    out.list(2);
    out.number(reply.tokens());
    out.number(reply.sessionStart());
  }

  private StepRefillRequest request(CommandArguments args) throws CommandException {
    long max = args.number(2, 1, StepRefillRequest.MAX);
    long refillMillis = millis * args.number(3, 1, maxUnits);
    StepRefillRequest.Builder request =
        StepRefillRequest.builder(args.bytes(1), max, refillMillis)
            .take(form == Form.GET ? 0 : 1)
            .strict(form == Form.SESSIONIZE);
    int seen = 0;
    for (int at = FIRST_OPTION; at < args.count(); ) {
      int option = option(args, at);
      if ((seen & option) != 0 || option == HAS_TAKE && form == Form.GET) {
        throw CommandException.syntax();
      }
      seen |= option;
      if (option == HAS_STRICT) {
        request.strict(true);
        at++;
      } else {
        set(request, option, args, at + 1);
        at += 2;
      }
    }
    return request.build();
  }

  private static int option(CommandArguments args, int at) throws CommandException {
    if (args.is(at, TAKE)) {
      return HAS_TAKE;
    }
    if (args.is(at, REFILL)) {
      return HAS_REFILL;
    }
    if (args.is(at, AT)) {
      return HAS_AT;
    }
    if (args.is(at, STRICT)) {
      return HAS_STRICT;
    }
    throw CommandException.syntax();
  }

  private void set(StepRefillRequest.Builder request, int option, CommandArguments args, int at)
      throws CommandException {
    if (at == args.count()) {
      throw CommandException.syntax();
    }
    switch (option) {
      case HAS_TAKE -> request.take(args.number(at, 0, StepRefillRequest.MAX));
      case HAS_REFILL -> request.refill(args.number(at, 1, StepRefillRequest.MAX));
      default -> request.at(millis * args.number(at, 0, maxUnits));
    }
  }
}
