package io.weir.internal.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.server.RunningServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Tests the number of threads that serve the Redis protocol. A thread starts with its first
 * connection.
 */
class RespThreadsTest {
  private static final String NAME = "weir-resp-";

  private final Set<Thread> before = threads();

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().startsWith(NAME))
        .collect(Collectors.toSet());
  }

  private int started() {
    Set<Thread> started = new HashSet<>(threads());
    started.removeAll(before);
    return started.size();
  }

  @Test
  void aProcessorIsLeftForOtherWork() {
    int processors = Runtime.getRuntime().availableProcessors();
    try (Served served = Served.open()) {
      assertEquals(Math.max(1, processors - 1), startedBy(served.server.port(), processors + 1));
    }
  }

  @Test
  void theNumberCanBeSet() {
    Map<String, String> settings =
        Map.of("weir.server.listeners", "redis", "weir.server.redis.threads", "3");
    try (RunningServer server = new RunningServer(settings)) {
      String address = server.service().listeners().get(0).address();
      assertEquals(3, startedBy(Integer.parseInt(address.split(":")[1]), 6));
    }
  }

  /** Returns how many threads serve as many connections. */
  private int startedBy(int port, int connections) {
    List<RespLine> lines = new ArrayList<>();
    try {
      for (int i = 0; i < connections; i++) {
        RespLine line = new RespLine(port);
        lines.add(line);
        line.ask("PING"); // answered by an error, once its thread runs
      }
      return started();
    } finally {
      lines.forEach(RespLine::close);
    }
  }
}
