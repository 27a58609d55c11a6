package io.weir.compat.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.RedisServer;
import io.weir.seeds.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three JVMs, one on Jersey and two with servlets, start on one Redis, and all are asked at once as
 * soon as the last one has said that it is ready: with nothing else on the machine, and with four
 * busy loops beside. One start of either, by turns, whose loops begin with the burst; twenty of
 * each with {@code -Pdeep}, whose loops begin before the nodes. On a machine so busy that the
 * store's answer came too late for some requests, they may admit more, and all starts again; but
 * not always.
 */
class ColdStartTest {
  private static final int LIMIT = 100;
  private static final int REQUESTS = 960;
  private static final int CLIENTS = 32;
  private static final int STARTS = Seeds.deep() ? 20 : 1;
  private static final int BUSY_LOOPS = 4;
  private static final int TRIALS = 10;
  private static final List<String> ADAPTERS = List.of("jersey", "servlet", "servlet");
  private static final List<String> TOLD = new ArrayList<>();

  static List<Arguments> starts() {
    List<Arguments> starts = new ArrayList<>();
    for (int i = 0; i < STARTS; i++) {
      for (int busyLoops : Seeds.today(List.of(0, BUSY_LOOPS), 2)) {
        starts.add(Arguments.of(i, busyLoops));
      }
    }
    return starts;
  }

  @ParameterizedTest
  @MethodSource("starts")
  void admitsExactlyTheLimitOfABurstThatComesWithTheFirstRequest(int start, int busyLoops)
      throws Exception {
    int trials = 1;
    while (!startsExactly(start, busyLoops)) {
      assertTrue(trials < TRIALS, "each time the store's answers were late and the limit missed");
      trials++;
    }
  }

  /**
   * Starts the nodes, and returns whether they admitted exactly the limit, as they must in time.
   */
  private static boolean startsExactly(int start, int busyLoops) throws Exception {
    // No window's edge in the middle of it.
    Map<String, String> settings = new TreeMap<>();
    settings.put("weir.store", RedisServer.shared());
    settings.put("weir.prefix", RedisServer.prefix());
    settings.put("weir.policy.exact.window", "366d");
    List<NodeProcess> nodes = new ArrayList<>();
    try (Hog atStart = new Hog(Seeds.deep() ? busyLoops : 0)) {
      for (String adapter : ADAPTERS) {
        nodes.add(NodeProcess.cold(adapter, settings));
      }
      List<Integer> ports = new ArrayList<>();
      for (NodeProcess each : nodes) {
        ports.add(number(each.reply(), "port"));
      }
      Map<Integer, Integer> counts;
      try (Hog atBurst = new Hog(Seeds.deep() ? 0 : busyLoops)) {
        counts = HttpBurst.send(ports, "/api/exact", CLIENTS, REQUESTS);
      }
      int decided = 0;
      int degraded = 0;
      for (NodeProcess each : nodes) {
        List<String> tally = each.ask("tell");
        decided += number(tally, "decided");
        degraded += number(tally, "degraded");
      }
      String where = start + " beside " + busyLoops + " busy loops: ";
      tell(where + counts + ", degraded " + degraded + " of " + decided);
      assertEquals(REQUESTS, decided);
      if (degraded > 0) {
        tell(logs(nodes));
        int admitted = counts.getOrDefault(200, 0);
        assertTrue(admitted <= LIMIT + degraded, () -> logs(nodes));
        return admitted == LIMIT;
      }
      assertEquals(Map.of(200, LIMIT, 429, REQUESTS - LIMIT), counts, () -> logs(nodes));
      return true;
    } finally {
      nodes.forEach(NodeProcess::close);
    }
  }

  private static String logs(List<NodeProcess> nodes) {
    return nodes.stream().map(NodeProcess::log).collect(Collectors.joining("\n"));
  }

  private static void tell(String line) {
    System.out.println("cold start " + line);
    TOLD.add(line);
  }

  @AfterAll
  static void tellAll() {
    System.out.println("cold starts:\n" + String.join("\n", TOLD));
  }

  private static int number(List<String> lines, String name) throws IOException {
    for (String line : lines) {
      if (line.startsWith(name + " ")) {
        return Integer.parseInt(line.substring(name.length() + 1));
      }
    }
    throw new IOException("no " + name + " in " + lines);
  }
}
