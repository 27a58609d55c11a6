package io.weir.internal.server.command;

import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.FirstAdmin;
import io.weir.internal.server.WeirServer;
import io.weir.internal.server.settings.StartSettings;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir-server}: starts the server, and stops it when the process is told to end. */
@Command(
    name = "weir-server",
    description = "Decides for others who may go on: by REST, gRPC and the Redis protocol.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    footer = {
      "",
      "Settings come from the file, from the environment (WEIR_SERVER_HTTP_PORT) and from system",
      "properties (-Dweir.server.http.port), the later before the earlier."
    })
public final class ServerCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  private final PrintStream out;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings; else weir.config, else weir.properties in the working directory.",
      scope = CommandLine.ScopeType.INHERIT)
  private @Nullable Path config;

  private ServerCommand(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs what is typed.
   *
   * @param out for answers
   * @param errors for what is wrong
   * @param arguments what is typed
   * @return 0; 1 if it failed; 2 if it isn't understood
   */
  public static int run(PrintStream out, PrintStream errors, String... arguments) {
    ServerCommand server = new ServerCommand(out);
    PrintWriter errorWriter = new PrintWriter(errors, true, StandardCharsets.UTF_8);
    return new CommandLine(server)
        .addSubcommand(new TokenCommand(server, out))
        .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
        .setErr(errorWriter)
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              errorWriter.println("weir-server: " + explain(failure));
              return FAILED;
            })
        .execute(arguments);
  }

  /** What happened, and what it comes from if that isn't said yet. */
  private static String explain(Exception failure) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String why = String.valueOf(root.getMessage());
    return root == failure || message.contains(why) ? message : message + " (" + why + ")";
  }

  /** Where settings come from at the start. */
  StartSettings settings() {
    return StartSettings.read(Optional.ofNullable(config));
  }

  @Override
  public Integer call() throws InterruptedException {
    StartSettings settings = settings();
    CountDownLatch stopped = new CountDownLatch(1);
    WeirServer service =
        WeirServer.start(
            settings.onTop(), new FirstAdmin(secret -> out.println("admin token " + secret)));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(service, stopped), "weir-stop"));
    for (Listener each : service.doors()) {
      out.println(each.name() + " " + each.address());
    }
    long millis = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
    out.println("ready after " + millis + " ms: " + service.summary());
    stopped.await();
    return 0;
  }

  /** Loggers are gone by now, so it is printed. */
  private void stop(WeirServer service, CountDownLatch stopped) {
    out.println("stopping");
    service.close();
    out.println("stopped");
    stopped.countDown();
  }
}
