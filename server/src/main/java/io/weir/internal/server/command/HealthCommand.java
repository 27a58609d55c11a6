package io.weir.internal.server.command;

import io.weir.InvalidSettingException;
import io.weir.internal.module.Setting;
import io.weir.internal.server.listener.Protocol;
import io.weir.internal.server.settings.BootstrapSettings;
import io.weir.internal.server.settings.ServerSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;

/** {@code weir-server health}: asks the server that has the same settings, for container images. */
@Command(
    name = "health",
    description = {
      "Checks whether the server that runs with the same settings is ready.",
      "Exits with 0 if it is, otherwise with 1."
    },
    mixinStandardHelpOptions = true)
final class HealthCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  private final Supplier<BootstrapSettings> settings;
  private final PrintStream out;

  HealthCommand(Supplier<BootstrapSettings> settings, PrintStream out) {
    this.settings = settings;
    this.out = out;
  }

  @Override
  public Integer call() {
    BootstrapSettings read = settings.get();
    String problem;
    try {
      problem = problem(read);
    } catch (IOException unreachable) {
      problem = unreachable.toString();
    }
    out.println(problem.isEmpty() ? "ready" : "not ready: " + problem);
    return problem.isEmpty() ? 0 : FAILED;
  }

  /** Without HTTP it can only be seen that the server listens. */
  private static String problem(BootstrapSettings settings) throws IOException {
    Protocol protocol = protocol(settings);
    HealthProbe probe = new HealthProbe(address(settings, protocol));
    if (protocol != Protocol.HTTP) {
      probe.connect();
      return "";
    }
    boolean isTls = !settings.get(ServerSettings.CERTIFICATE).isEmpty();
    String status = probe.status(isTls);
    return status.matches("HTTP/1\\.1 200( .*)?") ? "" : "it answered '" + status + "'";
  }

  private static Protocol protocol(BootstrapSettings settings) {
    List<Protocol> all = settings.get(ServerSettings.LISTENERS);
    return all.isEmpty() || all.contains(Protocol.HTTP) ? Protocol.HTTP : all.get(0);
  }

  private static InetSocketAddress address(BootstrapSettings settings, Protocol protocol)
      throws IOException {
    boolean isOpen = settings.get(ServerSettings.OPEN).contains(protocol);
    InetAddress address =
        InetAddress.getByName(
            settings.get(isOpen ? ServerSettings.OPEN_HOST : ServerSettings.HOST));
    return new InetSocketAddress(
        address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address,
        port(settings, ServerSettings.port(protocol)));
  }

  private static int port(BootstrapSettings settings, Setting<Integer> setting) {
    String value = settings.text(setting);
    if (!value.matches("\\d{1,5}") || Integer.parseInt(value) == 0) {
      throw new InvalidSettingException(
          setting.name() + ": '" + value + "' must be a port from 1 to 65535 for this command");
    }
    return Integer.parseInt(value);
  }
}
