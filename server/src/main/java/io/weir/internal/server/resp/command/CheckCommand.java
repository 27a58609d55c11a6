package io.weir.internal.server.resp.command;

import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.RequestChecker;
import io.weir.Ticker;
import io.weir.internal.server.resp.codec.Arguments;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.LaterReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * {@code WEIR.CHECK userId endpoint [METHOD m] [IP a] [APIKEY k] [TIER t] [COST n] [ATTR name
 * value]…}: may this request pass? An empty {@code userId} means that nobody is signed in.
 *
 * <p>Safe for concurrent use.
 */
final class CheckCommand implements Command {
  private static final byte[] METHOD = CommandEntry.letters("METHOD");
  private static final byte[] IP = CommandEntry.letters("IP");
  private static final byte[] APIKEY = CommandEntry.letters("APIKEY");
  private static final byte[] TIER = CommandEntry.letters("TIER");
  private static final byte[] COST = CommandEntry.letters("COST");
  private static final byte[] ATTR = CommandEntry.letters("ATTR");

  private static final int FIRST_OPTION = 3;
  private static final int PARTS = 5;
  private static final long MICROS = 1_000_000;

  private final RequestChecker checker;
  private final String callerExpression;
  private final Ticker ticker;

  CheckCommand(RequestChecker checker, String callerExpression, Ticker ticker) {
    this.checker = checker;
    this.callerExpression = callerExpression;
    this.ticker = ticker;
  }

  @Override
  public @Nullable LaterReply execute(Arguments args, Session session, ReplyWriter out)
      throws CommandException {
    CompletableFuture<Optional<Decision>> result =
        checker.check(request(args)).toCompletableFuture();
    if (result.isDone() && !result.isCompletedExceptionally()) {
      write(result.join(), out);
      return null;
    }
    return LaterReply.of(result, this::write, CheckCommand::fail);
  }

  private CheckedRequest request(Arguments args) throws CommandException {
    CheckedRequest.Builder request =
        new CheckedRequest.Builder(args.text(1), args.text(2), callerExpression);
    for (int at = FIRST_OPTION; at < args.count(); at += 2) {
      if (at + 1 == args.count()) {
        throw CommandException.syntax();
      }
      if (args.is(at, METHOD)) {
        request.method(args.text(at + 1));
      } else if (args.is(at, IP)) {
        request.ip(args.text(at + 1));
      } else if (args.is(at, APIKEY)) {
        request.apiKey(args.text(at + 1));
      } else if (args.is(at, TIER)) {
        request.tier(args.text(at + 1));
      } else if (args.is(at, COST)) {
        request.cost(args.number(at + 1, 1, Policy.MAX_LIMIT));
      } else if (args.is(at, ATTR) && at + 2 < args.count()) {
        request.attribute(args.text(at + 1), args.text(at + 2));
        at++;
      } else {
        throw CommandException.syntax();
      }
    }
    return request.build();
  }

  private void write(Optional<Decision> decided, ReplyWriter out) {
    if (decided.isEmpty()) {
      write(out, true, Integer.MAX_VALUE, Integer.MAX_VALUE, -1, 0);
      return;
    }
    Decision decision = decided.get();
    boolean admitted = decision.admitted();
    if (!admitted && decision.reason() == Reason.STORE_UNAVAILABLE) {
      out.error(ExactReplies.away());
      return;
    }
    write(
        out,
        admitted,
        decision.limit(),
        Math.min(decision.remaining(), decision.limit()),
        admitted ? -1 : Math.max(1, seconds(micros(decision.retryAfter()))),
        seconds(ticker.epochMicros() + micros(decision.resetAfter())));
  }

  private static void write(
      ReplyWriter out, boolean allowed, long limit, long remaining, long retry, long reset) {
    out.list(PARTS);
    out.number(allowed ? 1 : 0);
    out.number(limit);
    out.number(remaining);
    out.number(retry);
    out.number(reset);
  }

  private static long micros(Duration time) {
    return time.getSeconds() * MICROS + time.getNano() / 1_000;
  }

  private static long seconds(long micros) {
    return Math.floorDiv(micros + MICROS - 1, MICROS);
  }

  private static void fail(Throwable why, ReplyWriter out) {
    out.error(why instanceof InvalidRequestException ? "ERR " + why.getMessage() : "ERR failed");
  }
}
