package io.weir.internal.server.resp.command;

import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.Reason;
import io.weir.internal.control.decide.CheckAnswer;
import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.server.metrics.DecisionTimer;
import io.weir.internal.server.resp.codec.CommandArguments;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Executes {@code WEIR.CHECK userId endpoint [METHOD m] [IP a] [APIKEY k] [TIER t] [COST n] [ATTR
 * name value]…}: decides a request. An empty {@code userId} stands for an anonymous caller.
 *
 * <p>Safe for concurrent use.
 */
final class CheckCommand implements Command {
  private static final int PARTS = 5;

  /** No time to retry after: the request is allowed, or never is. */
  private static final int NONE = -1;

  private final RequestDecider decisions;
  private final DecisionTimer timer;

  CheckCommand(RequestDecider decisions, DecisionTimer timer) {
    this.timer = timer;
    this.decisions = decisions;
  }

  @Override
  public @Nullable PendingReply execute(CommandArguments args, RespSession session, ReplyWriter out)
      throws CommandException {
    CompletableFuture<CheckResult> result = decide(args);
    if (result.isDone() && !result.isCompletedExceptionally()) {
      write(result.join(), out);
      return null;
    }
    return PendingReply.of(result, this::write, CheckCommand::fail);
  }

  private CompletableFuture<CheckResult> decide(CommandArguments args) throws CommandException {
    long start = timer.start();
    try {
      return timer.stop(start, decisions.decide(CheckOptions.read(args))).toCompletableFuture();
    } catch (InvalidFieldException wrong) {
      throw CommandException.of(wrong.field() + " " + wrong.rule());
    }
  }

  private void write(CheckResult checked, ReplyWriter out) {
    Optional<Decision> decided = checked.decision();
    if (decided.isPresent()
        && !decided.get().admitted()
        && decided.get().reason() == Reason.STORE_UNAVAILABLE) {
      out.error(ExactRequestExecutor.away());
      return;
    }
    CheckAnswer answer = decisions.answer(checked);
    Long retry = answer.retryAfter();
    out.list(PARTS);
    out.number(answer.allowed() ? 1 : 0);
    out.number(CheckAnswer.orUnlimited(answer.limit()));
    out.number(CheckAnswer.orUnlimited(answer.remaining()));
    out.number(retry == null ? NONE : retry);
    out.number(answer.resetTime());
  }

  private static void fail(Throwable why, ReplyWriter out) {
    out.error(why instanceof InvalidRequestException ? "ERR " + why.getMessage() : "ERR failed");
  }
}
