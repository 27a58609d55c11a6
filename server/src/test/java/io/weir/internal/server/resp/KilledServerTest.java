package io.weir.internal.server.resp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.OneDayIn;
import io.weir.seeds.Seeds;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests servers on RocksDB that are killed under load. After the restart no bucket has more left
 * than the last reply before.
 */
@OneDayIn(2)
class KilledServerTest {
  private static final int BUCKETS = 50;
  private static final int CLIENTS = 4;
  private static final long MAX = 1_000_000;

  @TempDir private Path home;

  @Test
  void noBucketHasMoreThanTheLastReplySaid() throws Exception {
    int kills = Seeds.deep() ? 20 : 1;
    String directory = home.resolve("buckets").toString();
    Map<String, Long> left = new HashMap<>();
    for (int kill = 0; kill <= kills; kill++) {
      Process server = start(directory);
      try {
        int port = port(server);
        compare(port, left);
        if (kill < kills) {
          load(server, port, left);
        }
      } finally {
        server.destroyForcibly();
        assertTrue(server.waitFor(120, TimeUnit.SECONDS));
      }
    }
  }

  private static void compare(int port, Map<String, Long> left) {
    try (RespLine line = new RespLine(port)) {
      left.forEach(
          (key, told) -> {
            long now = Long.parseLong(look(line, key));
            assertTrue(now <= told, () -> key + " has " + now + " left, of " + told);
            assertTrue(now >= told - CLIENTS * 16, () -> key + " has " + now + " of " + told);
          });
    }
  }

  private static String look(RespLine line, String key) {
    if (key.startsWith("r")) {
      return line.ask("RL.GET", key, Long.toString(MAX), "360000");
    }
    String reply = line.ask("CL.THROTTLE", key, Long.toString(MAX), "1", "1000", "0");
    return reply.split(", ", -1)[2];
  }

  /** Takes from all buckets until the server is killed, and notes what each reply says is left. */
  private static void load(Process server, int port, Map<String, Long> left) throws Exception {
    AtomicLong replies = new AtomicLong();
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      int number = i;
      Thread client = new Thread(() -> take(port, number, left, replies));
      client.start();
      clients.add(client);
    }
    long enough = 20_000;
    while (replies.get() < enough) {
      assertTrue(server.isAlive());
      assertTrue(clients.stream().allMatch(Thread::isAlive), "a client has failed");
      TimeUnit.MILLISECONDS.sleep(5);
    }
    server.destroyForcibly();
    for (Thread each : clients) {
      each.join();
    }
  }

  private static void take(int port, int client, Map<String, Long> left, AtomicLong replies) {
    try (RespLine line = new RespLine(port)) {
      for (long round = client; ; round++) {
        boolean steps = round % 2 == 0;
        String key = (steps ? "r" : "c") + round / 2 % BUCKETS;
        for (int i = 0; i < 16; i++) {
          line.send(
              steps
                  ? RespLine.command("RL.REDUCE", key, Long.toString(MAX), "360000")
                  : RespLine.command("CL.THROTTLE", key, Long.toString(MAX), "1", "1000"));
        }
        for (int i = 0; i < 16; i++) {
          String reply = line.read();
          if (reply.equals("closed")) {
            return;
          }
          long now = steps ? Long.parseLong(reply) - 1 : Long.parseLong(reply.split(", ", -1)[2]);
          synchronized (left) {
            left.merge(key, now, Math::min);
          }
          replies.incrementAndGet();
        }
      }
    } catch (UncheckedIOException killed) {
      // as is planned
    }
  }

  private static Process start(String directory) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            KilledServer.class.getName(),
            directory)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static int port(Process server) throws IOException {
    var out =
        new BufferedReader(
            new InputStreamReader(server.getInputStream(), StandardCharsets.US_ASCII));
    return Integer.parseInt(String.valueOf(out.readLine()));
  }
}
