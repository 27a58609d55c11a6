package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.compat.postgres.PgBouncer;
import io.weir.compat.postgres.PgBouncer.Version;
import io.weir.compat.postgres.PostgresServer;
import io.weir.seeds.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two JVMs, 3,000 requests at once on a limit of 1,000, by one algorithm each day, and by one
 * behind a PgBouncer; three JVMs, 10,000 requests and all algorithms in a long build.
 */
class BurstTest {
  private static final int NODES = Seeds.deep() ? 3 : 2;
  private static final int REQUESTS = Seeds.deep() ? 3_334 : 1_500;
  private static final List<Algorithm> ALL =
      List.of(
          Algorithm.FIXED_WINDOW,
          Algorithm.SLIDING_WINDOW,
          Algorithm.SLIDING_LOG,
          Algorithm.TOKEN_BUCKET);
  private static final List<Node> NODES_RUNNING = new ArrayList<>();
  private static final List<PgBouncer> POOLERS = new ArrayList<>();

  /** Each node has a limiter for each of them. */
  private static final List<String> ADDRESSES = new ArrayList<>();

  /** The number of the address behind each PgBouncer that is installed. */
  private static final Map<Version, Integer> BEHIND = new EnumMap<>(Version.class);

  /** Fewer connections than the nodes have, so that their statements change places. */
  private static final Map<String, String> THREE_CONNECTIONS = Map.of("default_pool_size", "3");

  @BeforeAll
  static void start() throws IOException {
    ADDRESSES.add(Databases.shared());
    for (Version each : Version.values()) {
      if (each.isPresent()) {
        PgBouncer pooler = PgBouncer.start(each, PostgresServer.shared(), THREE_CONNECTIONS);
        POOLERS.add(pooler);
        BEHIND.put(each, ADDRESSES.size());
        ADDRESSES.add(pooler.url(Databases.shared().replaceAll(".*/", "")));
      }
    }
    for (int i = 0; i < NODES; i++) {
      NODES_RUNNING.add(new Node());
    }
    for (Node each : NODES_RUNNING) {
      assertEquals("ready", each.read());
    }
  }

  @AfterAll
  static void end() {
    NODES_RUNNING.forEach(Node::close);
    NODES_RUNNING.clear();
    POOLERS.forEach(PgBouncer::close);
    POOLERS.clear();
    ADDRESSES.clear();
    BEHIND.clear();
  }

  static List<Algorithm> algorithms() {
    return Seeds.today(ALL, ALL.size());
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void isAdmittedUpToTheLimitExactly(Algorithm algorithm) throws IOException {
    assertExact(algorithm, 0);
  }

  /** Other algorithms than the nodes without a PgBouncer have today. */
  static List<Arguments> algorithmsAndPoolers() {
    List<Arguments> both = new ArrayList<>();
    for (Version version : Version.values()) {
      for (Algorithm each : ALL) {
        both.add(Arguments.of(each, version));
      }
    }
    Collections.reverse(both);
    return Seeds.today(both, both.size());
  }

  @ParameterizedTest
  @MethodSource("algorithmsAndPoolers")
  void isAdmittedUpToTheLimitBehindPgBouncer(Algorithm algorithm, Version version)
      throws IOException {
    version.assumePresent();
    assertExact(algorithm, BEHIND.get(version));
  }

  private static void assertExact(Algorithm algorithm, int address) throws IOException {
    List<Integer> admitted = new ArrayList<>();
    int degraded = 0;
    for (int i = 0; i < Seeds.times(1); i++) {
      String caller = UUID.randomUUID().toString();
      for (Node each : NODES_RUNNING) {
        each.write(address + " " + algorithm + " " + caller);
      }
      int sum = 0;
      for (Node each : NODES_RUNNING) {
        String[] told = each.read().split(" ", 2);
        sum += Integer.parseInt(told[0]);
        degraded += Integer.parseInt(told[1]);
      }
      admitted.add(sum);
    }
    System.out.printf(
        "%s by address %d admitted %s, degraded %d%n", algorithm, address, admitted, degraded);
    assertEquals(0, degraded);
    for (int sum : admitted) {
      assertEquals(BurstNode.LIMIT, sum, algorithm + " admitted " + admitted);
    }
  }

  /** A process of its own. */
  private static final class Node {
    private final Process process;
    private final BufferedReader output;
    private final Writer input;

    Node() throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path")));
      command.addAll(List.of(BurstNode.class.getName(), "" + REQUESTS));
      command.addAll(ADDRESSES);
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
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
