package io.weir.compat.stacks.wildfly;

import io.weir.compat.stack.Ports;
import io.weir.compat.stack.ServerProcess;
import io.weir.compat.stack.WarFile;
import io.weir.compat.stack.WarServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * WildFly with its standard configuration, in a directory of its own, which deploys a war by the
 * scanner of its folder of deployments.
 */
final class WildFly extends WarServer {
  static final String VERSION = "38.0.1";

  private static final Path HOME = Path.of("target/server/wildfly-" + VERSION + ".Final");
  private static final Pattern STARTED = Pattern.compile("WFLYSRV0025");
  private static final Pattern DEPLOYED =
      Pattern.compile("WFLYSRV0010|WFLYSRV0021|WFLYCTRL0013|WFLYDS0012");
  private static final Pattern UNDEPLOYED = Pattern.compile("WFLYSRV0009");

  /** The options that standalone.sh gives to each JVM. */
  private static final List<String> EXPORTS =
      List.of(
          "java.desktop/sun.awt",
          "java.naming/com.sun.jndi.ldap",
          "java.naming/com.sun.jndi.url.ldap",
          "java.naming/com.sun.jndi.url.ldaps",
          "jdk.naming.dns/com.sun.jndi.dns");

  private static final List<String> OPENS =
      List.of(
          "java.base/java.lang",
          "java.base/java.lang.invoke",
          "java.base/java.lang.reflect",
          "java.base/java.io",
          "java.base/java.net",
          "java.base/java.security",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.management/javax.management",
          "java.naming/javax.naming");

  private final Path deployments;

  private WildFly(ServerProcess process, int port, Path deployments) throws IOException {
    super(process, port, STARTED);
    this.deployments = deployments;
  }

  static WildFly with(WarFile war) throws IOException {
    return with(war, List.of());
  }

  static WildFly with(WarFile war, List<String> options) throws IOException {
    int port = Ports.free();
    Path base = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "wildfly");
    copy(HOME.resolve("standalone/configuration"), base.resolve("configuration"));
    scanQuickly(base.resolve("configuration/standalone.xml"));
    Path deployments = base.resolve("deployments");
    war.write(deployments.resolve(APPLICATION + ".war"));
    return new WildFly(
        ServerProcess.java(base, Map.of(), arguments(base, port, options)), port, deployments);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  /** Deploys what a marker asks for, which is seen soon. */
  private static void scanQuickly(Path configuration) throws IOException {
    String text = Files.readString(configuration);
    String quick =
        text.replace(
            "scan-interval=\"5000\"", "scan-interval=\"200\" auto-deploy-zipped=\"false\"");
    if (quick.equals(text)) {
      throw new IOException("no scanner of deployments in " + configuration);
    }
    Files.writeString(configuration, quick);
  }

  private static List<String> arguments(Path base, int port, List<String> options)
      throws IOException {
    Path home = HOME.toAbsolutePath();
    Path temporary = Files.createDirectory(base.resolve("tmp-of-jvm"));
    List<String> arguments = new ArrayList<>(options);
    EXPORTS.forEach(each -> arguments.add("--add-exports=" + each + "=ALL-UNNAMED"));
    OPENS.forEach(each -> arguments.add("--add-opens=" + each + "=ALL-UNNAMED"));
    arguments.addAll(
        List.of(
            "-Djava.io.tmpdir=" + temporary,
            "-Djava.net.preferIPv4Stack=true",
            "-Djboss.modules.system.pkgs=org.jboss.byteman",
            "-Dorg.jboss.boot.log.file=" + base.resolve("log/server.log"),
            "-Dlogging.configuration=file:" + base.resolve("configuration/logging.properties"),
            "-jar",
            home.resolve("jboss-modules.jar").toString(),
            "-mp",
            home.resolve("modules").toString(),
            "org.jboss.as.standalone",
            "-Djboss.home.dir=" + home,
            "-Djboss.server.base.dir=" + base,
            "-Djboss.bind.address=127.0.0.1",
            "-Djboss.bind.address.management=127.0.0.1",
            "-Djboss.http.port=" + port,
            "-Djboss.https.port=0",
            "-Djboss.management.http.port=0",
            "-Djboss.management.https.port=0"));
    return arguments;
  }

  @Override
  public URI start() throws IOException {
    Files.writeString(marker("dodeploy"), "");
    if (!server().await(DEPLOYED).group().equals("WFLYSRV0010")) {
      throw failure("not deployed");
    }
    awaitMarker("deployed");
    return address();
  }

  @Override
  public void stop() throws IOException {
    Files.delete(marker("deployed"));
    server().await(UNDEPLOYED);
    awaitMarker("undeployed");
  }

  private Path marker(String state) {
    return deployments.resolve(APPLICATION + ".war." + state);
  }

  /** The scanner writes it right after it has logged. */
  private void awaitMarker(String state) throws IOException {
    while (!Files.exists(marker(state))) {
      if (!process().isAlive() || Files.exists(marker("failed"))) {
        throw failure("the server has ended, or not " + state);
      }
      pause();
    }
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(20);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("stopped");
    }
  }
}
