package io.weir.internal.server.resp.command;

import static io.weir.internal.server.resp.command.CommandEntry.MANY;

import io.weir.RequestChecker;
import io.weir.Ticker;
import io.weir.internal.control.decide.Decisions;
import io.weir.internal.server.resp.command.StepRefillCommand.Form;
import io.weir.store.ExactBuckets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** All commands that a server knows. */
public final class CommandTableFactory {
  private static final long SECOND = 1_000;
  private static final int MOST_OF_GET = 9;
  private static final int MOST_OF_REDUCE = 11;

  private CommandTableFactory() {}

  /**
   * The commands on a limiter and a store.
   *
   * @param checker decides {@code WEIR.CHECK}
   * @param buckets count {@code RL.…} and {@code CL.THROTTLE}
   * @param callerExpression where API keys are read, as {@code weir.rules.caller} says; empty for
   *     nowhere
   * @param ticker the source of time
   * @return the commands by their names
   */
  public static CommandTable of(
      RequestChecker checker, ExactBuckets buckets, String callerExpression, Ticker ticker) {
    AtomicReference<CommandTable> table = new AtomicReference<>();
    CommandTable made =
        new CommandTable(
            List.of(
                reduce("rl.reduce", buckets, Form.REDUCE, SECOND),
                reduce("rl.get", buckets, Form.GET, SECOND),
                reduce("rl.sessionize", buckets, Form.SESSIONIZE, SECOND),
                reduce("rl.preduce", buckets, Form.REDUCE, 1),
                reduce("rl.pget", buckets, Form.GET, 1),
                reduce("rl.psessionize", buckets, Form.SESSIONIZE, 1),
                new CommandEntry("cl.throttle", 5, 6, false, true, new ThrottleCommand(buckets)),
                new CommandEntry(
                    "weir.check",
                    3,
                    MANY,
                    false,
                    true,
                    new CheckCommand(new Decisions(checker, () -> callerExpression, ticker))),
                new CommandEntry("hello", 1, MANY, true, false, SignInCommands::hello),
                new CommandEntry("auth", 2, 3, true, false, SignInCommands::auth),
                new CommandEntry("reset", 1, 1, true, false, ConnectionCommands::reset),
                new CommandEntry("quit", 1, MANY, true, false, ConnectionCommands::quit),
                new CommandEntry("ping", 1, 2, false, false, ConnectionCommands::ping),
                new CommandEntry("echo", 2, 2, false, false, ConnectionCommands::echo),
                new CommandEntry("select", 2, 2, false, false, ConnectionCommands::select),
                new CommandEntry("client", 2, MANY, false, false, ClientCommand::execute),
                new CommandEntry("info", 1, MANY, false, false, ConnectionCommands::info),
                new CommandEntry("config", 2, MANY, false, false, ConnectionCommands::config),
                new CommandEntry(
                    "command", 1, MANY, false, false, new CommandCommand(table::getPlain))));
    table.setPlain(made);
    return made;
  }

  private static CommandEntry reduce(String name, ExactBuckets buckets, Form form, long millis) {
    int most = form == Form.GET ? MOST_OF_GET : MOST_OF_REDUCE;
    return new CommandEntry(
        name, 4, most, false, true, new StepRefillCommand(buckets, form, millis));
  }
}
