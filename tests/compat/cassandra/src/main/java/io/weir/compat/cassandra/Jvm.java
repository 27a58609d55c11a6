package io.weir.compat.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.compat.cassandra.node.Node;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command that starts a node in a process of its own: which Java, which libraries. */
final class Jvm {
  private static final String LIBRARIES = "libraries";
  private static final String OPTIONS = "jvm.options";

  private Jvm() {}

  /**
   * Returns the words of the command.
   *
   * @param directory where the node's files are, its configuration among them
   */
  static List<String> command(Path directory) {
    Path home =
        Missing.jdk()
            .orElseThrow(() -> new IllegalStateException("Cassandra needs " + Missing.JDK));
    List<String> words = new ArrayList<>();
    words.add(home.resolve("bin").resolve("java").toString());
    words.addAll(List.of("-Xms256m", "-Xmx256m"));
    words.addAll(resource(OPTIONS).lines().toList());
    words.add("-Djava.io.tmpdir=" + directory);
    words.add("-Dweir.log=" + directory.resolve("cassandra.log"));
    words.add("-Dlogback.configurationFile=io/weir/compat/cassandra/node/logback.xml");
    words.add("-Dcassandra.storagedir=" + directory);
    words.add("-Dcassandra.config=" + directory.resolve("cassandra.yaml").toUri());
    words.add("-Dcassandra-rackdc.properties=" + directory.resolve("rackdc.properties").toUri());
    words.addAll(List.of("-cp", own() + File.pathSeparator + resource(LIBRARIES).strip()));
    words.add(Node.class.getName());
    return words;
  }

  /** Returns where the main class comes from: a directory or a jar. */
  private static Path own() {
    try {
      return Path.of(Node.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String resource(String name) {
    try (InputStream stream = Node.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException(
            "no list of Cassandra's libraries: compile tests/compat/cassandra-node by Maven, not alone");
      }
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
