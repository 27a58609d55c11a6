package io.weir.compat.stacks.liberty;

import io.weir.compat.stack.Ports;
import io.weir.compat.stack.ServerProcess;
import io.weir.compat.stack.WarFile;
import io.weir.compat.stack.WarServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Open Liberty with a directory of its own, which deploys what lies in its folder of drop-ins. */
final class Liberty extends WarServer {
  static final String VERSION = "25.0.0.12";

  private static final Path HOME = Path.of("target/server/wlp");
  private static final Pattern STARTED = Pattern.compile("CWWKF0011I");
  private static final Pattern DEPLOYED = Pattern.compile("CWWKZ0001I|CWWKZ0003I|CWWKZ000[24]E");
  private static final Pattern UNDEPLOYED = Pattern.compile("CWWKZ0009I");

  private static final String CONFIGURATION =
      """
      <server>
        <featureManager>
          <feature>restfulWS-3.1</feature>
          <feature>servlet-6.0</feature>
          %features
        </featureManager>
        <httpEndpoint id="defaultHttpEndpoint" host="127.0.0.1" httpPort="%s" httpsPort="-1"/>
        <applicationMonitor pollingRate="200ms"/>
        <logging consoleLogLevel="INFO"/>
      </server>
      """;

  private final Path war;
  private final Path dropped;

  private Liberty(ServerProcess process, int port, Path war, Path dropped) throws IOException {
    super(process, port, STARTED);
    this.war = war;
    this.dropped = dropped;
  }

  static Liberty with(WarFile war) throws IOException {
    return with(war, List.of());
  }

  static Liberty with(WarFile war, List<String> options) throws IOException {
    return with(war, options, "");
  }

  /** Starts a server with a container of CDI. */
  static Liberty withBeans(WarFile war) throws IOException {
    return with(war, List.of(), "<feature>cdi-4.0</feature>");
  }

  private static Liberty with(WarFile war, List<String> options, String features)
      throws IOException {
    int port = Ports.free();
    Path user = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "liberty");
    Path file = war.write(user.resolve(APPLICATION + ".war"));
    Path server = user.resolve("servers/defaultServer");
    Path dropped = server.resolve("dropins").resolve(APPLICATION + ".war");
    Files.createDirectories(dropped.getParent());
    Files.writeString(
        server.resolve("server.xml"),
        CONFIGURATION.replace("%s", "" + port).replace("%features", features));
    ServerProcess process =
        ServerProcess.java(
            server, Map.of("WLP_USER_DIR", user.toString()), arguments(user, options));
    return new Liberty(process, port, file, dropped);
  }

  private static List<String> arguments(Path user, List<String> options) throws IOException {
    Path home = HOME.toAbsolutePath();
    Path tools = home.resolve("bin/tools");
    Path temporary = Files.createDirectory(user.resolve("tmp-of-jvm"));
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(
        List.of(
            "@" + home.resolve("lib/platform/java/java9.options"), // as its script does
            "-Djava.io.tmpdir=" + temporary,
            "-javaagent:" + tools.resolve("ws-javaagent.jar"),
            "-jar",
            tools.resolve("ws-server.jar").toString(),
            "defaultServer"));
    return arguments;
  }

  @Override
  public URI start() throws IOException {
    Path whole = war.resolveSibling("dropped.war");
    Files.copy(war, whole);
    Files.move(whole, dropped, StandardCopyOption.ATOMIC_MOVE);
    if (!server().await(DEPLOYED).group().endsWith("I")) {
      throw failure("not deployed");
    }
    return address();
  }

  @Override
  public void stop() throws IOException {
    Files.delete(dropped);
    server().await(UNDEPLOYED);
  }
}
