package io.weir.compat.stacks.payara;

import fish.payara.micro.PayaraMicro;
import io.weir.compat.stack.Ports;
import io.weir.compat.stack.ServerProcess;
import io.weir.compat.stack.WarFile;
import io.weir.compat.stack.WarServer;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/** Payara Micro with a directory of its own, which {@link PayaraMain} runs. */
final class Payara extends WarServer {
  static final String VERSION = "6.2025.10";

  private static final Pattern READY = Pattern.compile(Pattern.quote(PayaraMain.READY));
  private static final Pattern ANSWER = Pattern.compile(PayaraMain.DONE + "|" + PayaraMain.FAILED);

  private final Path war;

  private Payara(ServerProcess process, int port, Path war) throws IOException {
    super(process, port, READY);
    this.war = war;
  }

  static Payara with(WarFile war) throws IOException {
    return with(war, List.of());
  }

  static Payara with(WarFile war, List<String> options) throws IOException {
    int port = Ports.free();
    Path base = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "payara");
    Path file = war.write(base.resolve(APPLICATION + ".war"));
    return new Payara(
        ServerProcess.java(base, Map.of(), arguments(base, port, options)), port, file);
  }

  private static List<String> arguments(Path base, int port, List<String> options)
      throws IOException {
    Path jar = jar();
    Path temporary = Files.createDirectory(base.resolve("tmp-of-jvm"));
    List<String> arguments = new ArrayList<>(openPackages(jar));
    arguments.addAll(options);
    arguments.addAll(
        List.of(
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            jar + File.pathSeparator + classes(base),
            PayaraMain.class.getName(),
            Integer.toString(port),
            base.resolve("root").toString()));
    return arguments;
  }

  private static Path jar() {
    try {
      return Path.of(PayaraMicro.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Opens what the manifest opens, which only {@code java -jar} reads. */
  private static List<String> openPackages(Path jar) throws IOException {
    try (JarFile open = new JarFile(jar.toFile())) {
      Attributes manifest = open.getManifest().getMainAttributes();
      List<String> options = new ArrayList<>();
      for (String option : List.of("Add-Opens", "Add-Exports")) {
        for (String each : manifest.getValue(option).split(" ", -1)) {
          options.add("--" + option.toLowerCase(Locale.ROOT) + "=" + each + "=ALL-UNNAMED");
        }
      }
      return options;
    }
  }

  /** Has only the class that runs the server, since wars find those of the class path first. */
  private static Path classes(Path base) throws IOException {
    Path classes = base.resolve("classes");
    String name = PayaraMain.class.getName().replace('.', '/') + ".class";
    Path file = classes.resolve(name);
    Files.createDirectories(file.getParent());
    try (InputStream code = PayaraMain.class.getResourceAsStream("/" + name)) {
      Files.copy(code, file);
    }
    return classes;
  }

  @Override
  public URI start() throws IOException {
    execute(PayaraMain.DEPLOY + war);
    return address();
  }

  @Override
  public void stop() throws IOException {
    execute(PayaraMain.UNDEPLOY + APPLICATION);
  }

  private void execute(String command) throws IOException {
    server().send(command);
    if (!server().await(ANSWER).group().equals(PayaraMain.DONE)) {
      throw failure("no " + command);
    }
  }
}
