package io.weir.internal.server.command;

import io.weir.InvalidSettingException;
import io.weir.internal.server.listener.Protocol;
import io.weir.internal.server.settings.BootstrapSettings;
import io.weir.internal.server.settings.ServerSettingDeclarations;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
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
    boolean isTls = settings.value(ServerSettingDeclarations.CERTIFICATE).isPresent();
    String status = probe.status(isTls);
    return status.matches("HTTP/1\\.1 200( .*)?") ? "" : "it answered '" + status + "'";
  }

  private static Protocol protocol(BootstrapSettings settings) {
    List<String> all = words(settings, ServerSettingDeclarations.LISTENERS);
    if (all.isEmpty() || all.contains(Protocol.HTTP.text())) {
      return Protocol.HTTP;
    }
    if (!Protocol.texts().contains(all.get(0))) {
      throw new InvalidSettingException(
          ServerSettingDeclarations.LISTENERS
              + ": '"
              + all.get(0)
              + "' must be one of "
              + String.join(", ", Protocol.texts()));
    }
    return Protocol.of(all.get(0));
  }

  private static List<String> words(BootstrapSettings settings, String name) {
    return Arrays.stream(settings.value(name).orElse("").toLowerCase(Locale.ROOT).split(","))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .toList();
  }

  private static InetSocketAddress address(BootstrapSettings settings, Protocol protocol)
      throws IOException {
    boolean isOpen = words(settings, ServerSettingDeclarations.OPEN).contains(protocol.text());
    String host =
        settings
            .value(isOpen ? ServerSettingDeclarations.OPEN_HOST : ServerSettingDeclarations.HOST)
            .orElse(ServerSettingDeclarations.LOOPBACK);
    InetAddress address = InetAddress.getByName(host);
    return new InetSocketAddress(
        address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address,
        port(settings, protocol));
  }

  private static int port(BootstrapSettings settings, Protocol protocol) {
    String name = "weir.server." + protocol.text() + ".port";
    String value =
        settings.value(name).orElseGet(() -> ServerSettingDeclarations.defaultValue(name));
    if (!value.matches("\\d{1,5}") || Integer.parseInt(value) == 0) {
      throw new InvalidSettingException(
          name + ": '" + value + "' must be a port from 1 to 65535 for this command");
    }
    return Integer.parseInt(value);
  }
}
