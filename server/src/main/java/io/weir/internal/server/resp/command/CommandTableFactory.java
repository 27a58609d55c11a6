package io.weir.internal.server.resp.command;

import static io.weir.internal.server.resp.command.CommandEntry.MANY;

import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.server.metrics.DecisionTimer;
import io.weir.internal.server.resp.command.StepRefillCommand.Form;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Makes the table of all commands that the server knows. */
public final class CommandTableFactory {
  private static final long SECOND = 1_000;
  private static final int MAX_GET_ARGUMENTS = 9;
  private static final int MAX_REDUCE_ARGUMENTS = 11;

  private CommandTableFactory() {}

  public static CommandTable of(
      RequestDecider decisions, DecisionTimer timer, ExactRequestExecutor exact) {
    AtomicReference<CommandTable> table = new AtomicReference<>();
    CommandTable made =
        new CommandTable(
            List.of(
                reduce("rl.reduce", exact, Form.REDUCE, SECOND),
                reduce("rl.get", exact, Form.GET, SECOND),
                reduce("rl.sessionize", exact, Form.SESSIONIZE, SECOND),
                reduce("rl.preduce", exact, Form.REDUCE, 1),
                reduce("rl.pget", exact, Form.GET, 1),
                reduce("rl.psessionize", exact, Form.SESSIONIZE, 1),
                new CommandEntry("cl.throttle", 5, 6, false, true, new ThrottleCommand(exact)),
                new CommandEntry(
                    "weir.check", 3, MANY, false, true, new CheckCommand(decisions, timer)),
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

  private static CommandEntry reduce(
      String name, ExactRequestExecutor exact, Form form, long millis) {
    int most = form == Form.GET ? MAX_GET_ARGUMENTS : MAX_REDUCE_ARGUMENTS;
    return new CommandEntry(name, 4, most, false, true, new StepRefillCommand(exact, form, millis));
  }
}
