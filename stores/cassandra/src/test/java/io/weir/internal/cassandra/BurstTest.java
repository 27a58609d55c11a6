package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two JVMs, 3,000 requests at once on a limit of 1,000, by one algorithm each time; three JVMs,
 * 10,000 requests and all algorithms in a long build.
 */
@OneDayIn(2)
class BurstTest {
  private static final int NODES = Seeds.deep() ? 3 : 2;
  private static final int REQUESTS = Seeds.deep() ? 3_334 : 1_500;
  private static final List<Node> NODES_RUNNING = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    String address = Servers.address(Servers.shared());
    for (int i = 0; i < NODES; i++) {
      NODES_RUNNING.add(new Node(address));
    }
    for (Node each : NODES_RUNNING) {
      assertEquals("ready", each.read());
    }
  }

  @AfterAll
  static void end() {
    NODES_RUNNING.forEach(Node::close);
    NODES_RUNNING.clear();
  }

  static List<Algorithm> algorithms() {
    return Seeds.today(
        List.of(Algorithm.FIXED_WINDOW, Algorithm.SLIDING_WINDOW, Algorithm.TOKEN_BUCKET), 3);
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void isAdmittedUpToTheLimitAndNeverBeyond(Algorithm algorithm) throws IOException {
    List<Integer> admitted = new ArrayList<>();
    int degraded = 0;
    for (int i = 0; i < Seeds.times(1); i++) {
      String caller = UUID.randomUUID().toString();
      for (Node each : NODES_RUNNING) {
        each.write(algorithm + " " + caller);
      }
      int sum = 0;
      for (Node each : NODES_RUNNING) {
        String[] told = each.read().split(" ", 2);
        sum += Integer.parseInt(told[0]);
        degraded += Integer.parseInt(told[1]);
      }
      admitted.add(sum);
    }
    System.out.println(algorithm + " admitted " + admitted + ", degraded " + degraded);
    for (int sum : admitted) {
      assertTrue(sum <= BurstNode.LIMIT && sum > 0, algorithm + " admitted " + admitted);
    }
  }

  /** A process of its own. */
  private static final class Node {
    private final Process process;
    private final BufferedReader output;
    private final Writer input;

    Node(String address) throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  BurstNode.class.getName(),
                  address,
                  "" + REQUESTS)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      output = process.inputReader(StandardCharsets.UTF_8);
      input = process.outputWriter(StandardCharsets.UTF_8);
    }

    String read() throws IOException {
      String line = output.readLine();
      assertTrue(line != null, "a node has ended");
      return line;
    }

    void write(String line) throws IOException {
      input.write(line + "\n");
      input.flush();
    }

    void close() {
      try {
        input.close();
      } catch (IOException ended) {
        throw new UncheckedIOException(ended);
      } finally {
        process.destroyForcibly();
      }
    }
  }
}
