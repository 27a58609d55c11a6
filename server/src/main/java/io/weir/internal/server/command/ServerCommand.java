package io.weir.internal.server.command;

import io.weir.Ticker;
import io.weir.internal.server.AdminTokenBootstrap;
import io.weir.internal.server.WeirServer;
import io.weir.internal.server.listener.Listener;
import io.weir.internal.server.settings.BootstrapSettings;
import io.weir.internal.threads.DaemonThreadFactory;
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

/** {@code weir-server}: starts the server, and stops it when the process is asked to end. */
@Command(
    name = "weir-server",
    description = "Rate limit decisions by REST, gRPC and the Redis protocol.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    footer = {
      "",
      "Settings come from system properties (-Dweir.server.http.port), else from the environment",
      "(WEIR_SERVER_HTTP_PORT), else from the file."
    })
public final class ServerCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  private final PrintStream out;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "File with settings. Default: weir.config, else weir.properties in the working"
              + " directory.",
      scope = CommandLine.ScopeType.INHERIT)
  private @Nullable Path config;

  private ServerCommand(PrintStream out) {
    this.out = out;
  }

  /** Runs a command line; returns 0, 1 if the command failed, or 2 if the arguments are invalid. */
  public static int run(PrintStream out, PrintStream errors, String... arguments) {
    ServerCommand server = new ServerCommand(out);
    PrintWriter errorWriter = new PrintWriter(errors, true, StandardCharsets.UTF_8);
    return new CommandLine(server)
        .addSubcommand(new TokenCommand(server::settings, Ticker.system(), out))
        .addSubcommand(new HealthCommand(server::settings, out))
        .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
        .setErr(errorWriter)
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              errorWriter.println("weir-server: " + explain(failure));
              return FAILED;
            })
        .execute(arguments);
  }

  /** Returns the message, and that of the root cause if the message lacks it. */
  private static String explain(Exception failure) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String cause = String.valueOf(root.getMessage());
    return root == failure || message.contains(cause) ? message : message + " (" + cause + ")";
  }

  private BootstrapSettings settings() {
    return BootstrapSettings.read(Optional.ofNullable(config));
  }

  @Override
  public Integer call() throws InterruptedException {
    BootstrapSettings settings = settings();
    CountDownLatch stopped = new CountDownLatch(1);
    WeirServer server =
        WeirServer.start(
            settings.overrides(),
            new AdminTokenBootstrap(secret -> out.println("admin token " + secret)));
    Runtime.getRuntime()
        .addShutdownHook(
            DaemonThreadFactory.named("weir-stop").newThread(() -> stop(server, stopped)));
    for (Listener each : server.listeners()) {
      out.println(each.protocol().text() + " " + each.address());
    }
    long millis = ManagementFactory.getRuntimeMXBean().getUptime();
    out.println("ready after " + millis + " ms: " + server.summary());
    stopped.await();
    return 0;
  }

  /** Prints instead of logging, because loggers are closed during shutdown. */
  private void stop(WeirServer server, CountDownLatch stopped) {
    out.println("stopping");
    server.close();
    out.println("stopped");
    stopped.countDown();
  }
}
