package io.weir.compat.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.RedisServer;
import io.weir.compat.stack.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an example that runs as two regions by the settings of docs/regions.md alone, each in a
 * process of its own.
 */
public abstract class RegionTests {
  private static final Pattern ADDRESS = Pattern.compile("The example is at (http://\\S+/) ");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Duration LONGEST = Duration.ofMinutes(2);

  /** Messages an hour to a phone number. */
  private static final int LIMIT = 10;

  /** The waits for a report double, up to a minute. */
  private static final int TURNS = 7;

  private final String main;

  @TempDir private Path directory;

  /**
   * Starts nothing yet.
   *
   * @param main the example's class with a main method
   */
  protected RegionTests(Class<?> main) {
    this.main = main.getName();
  }

  /** A region of one node, which starts while others do. */
  private static final class Region implements AutoCloseable {
    private final ServerProcess process;
    private @Nullable URI uri;

    Region(ServerProcess process) {
      this.process = process;
    }

    private URI uri() throws IOException {
      if (uri == null) {
        uri = URI.create(process.await(ADDRESS).group(1));
      }
      return uri;
    }

    /** Returns the status of a message to a phone number. */
    int send(String phone) throws Exception {
      HttpRequest request =
          HttpRequest.newBuilder(uri().resolve("api/sms?phone=%2B" + phone))
              .timeout(LONGEST)
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();
      return CLIENT.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** Sends messages until one is refused, and returns how many were admitted. */
    int sendAll(String phone) throws Exception {
      int sent = 0;
      int status = send(phone);
      while (status == 200) {
        sent++;
        status = send(phone);
      }
      assertEquals(429, status);
      return sent;
    }

    @Override
    public void close() {
      process.close();
    }
  }

  private Region start(Map<String, String> settings) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-Dport=0", "-Dweir.rules="));
    settings.forEach((name, value) -> arguments.add("-D" + name + "=" + value));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    return new Region(ServerProcess.java(directory, Map.of(), arguments));
  }

  private Region reporting(String name, RedisServer own, String other, RedisServer its)
      throws IOException {
    Map<String, String> settings = new TreeMap<>();
    settings.put("weir.region", name);
    settings.put("weir.store", own.url());
    settings.put("weir.region." + other + ".store", its.url());
    settings.put("weir.secret", "the same long random text in every region");
    settings.put("weir.prefix", "shop");
    // A slow machine must not count as an outage here.
    settings.put("weir.store.timeout", "10s");
    settings.put("weir.region." + other + ".store.timeout", "10s");
    settings.put("weir.store.start-timeout", "1m");
    return start(settings);
  }

  @Test
  void eachHearsOfTheUseInTheOther() throws Exception {
    try (RedisServer first = RedisServer.start();
        RedisServer second = RedisServer.start();
        Region eu = reporting("eu", first, "us", second);
        Region us = reporting("us", second, "eu", first)) {
      assertHears(us, eu, "491511");
      assertHears(eu, us, "491512");
    }
  }

  /** Uses up a limit in one region, until the other refuses a number to which it never sent. */
  private static void assertHears(Region there, Region here, String phones) throws Exception {
    int turn = 0;
    do {
      assertTrue(turn < TURNS, "not within " + (1 << turn - 1) + " s");
      assertEquals(LIMIT, here.sendAll(phones + turn));
      LockSupport.parkNanos(Duration.ofSeconds(1 << turn).toNanos());
    } while (there.send(phones + turn++) != 429);
  }

  private Region sharing(String name) throws IOException {
    return start(
        Map.of(
            "weir.region", name,
            "weir.regions.mode", "shares",
            "weir.regions.shares", "eu@50,us@50"));
  }

  @Test
  void eachAdmitsItsShareWithoutAStore() throws Exception {
    try (Region eu = sharing("eu");
        Region us = sharing("us")) {
      assertEquals(LIMIT / 2, eu.sendAll("491513"));
      assertEquals(LIMIT / 2, us.sendAll("491513"));
    }
  }
}
