package io.weir.internal.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.server.Programs;
import io.weir.seeds.RequiredPrograms;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests programs that Maven doesn't provide. If one is missing, the build says which tests it
 * skipped.
 */
class ToolsTest {
  private static final String NODE_CLIENT = "@redis/client@6.3.1";

  private static Served served;
  @TempDir private Path home;

  @BeforeAll
  static void start() {
    served = Served.closed();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  private String run(String... words) {
    return Programs.run(home, List.of(words));
  }

  private String cli(String... words) {
    List<String> command =
        List.of(
            "redis-cli",
            "--no-auth-warning",
            "-p",
            Integer.toString(served.port()),
            "-a",
            Served.TOKEN);
    String[] all = new String[command.size() + words.length];
    command.toArray(all);
    System.arraycopy(words, 0, all, command.size(), words.length);
    return run(all);
  }

  @Test
  void redisCli() {
    RequiredPrograms.assumePresent("redis-cli");
    assertEquals("PONG", cli("PING"));
    assertEquals("2", cli("RL.REDUCE", "TwoPerMin", "2", "60"));
    assertEquals("1", cli("-3", "RL.REDUCE", "TwoPerMin", "2", "60"));
    assertEquals("0\n16\n15\n-1\n2", cli("-2", "CL.THROTTLE", "cli", "15", "30", "60"));
    assertEquals("ERR Syntax error", cli("RL.REDUCE", "TwoPerMin", "2", "60", "MORE"));
  }

  @Test
  void redisBenchmark() {
    RequiredPrograms.assumePresent("redis-benchmark");
    String said =
        run(
            "redis-benchmark",
            "-p",
            Integer.toString(served.port()),
            "-a",
            Served.TOKEN,
            "-n",
            "20000",
            "-P",
            "16",
            "-r",
            "1000",
            "-q",
            "RL.REDUCE",
            "bench:__rand_int__",
            "1000000",
            "60");
    assertTrue(said.toLowerCase(Locale.ROOT).contains("requests per second"), said);
    assertTrue(!said.toLowerCase(Locale.ROOT).contains("error"), said);
  }

  @Test
  void aClientForNodeSpeaksResp3() throws Exception {
    RequiredPrograms.assumePresent("node", "npm");
    Path script = home.resolve("client.mjs");
    try (InputStream in = ToolsTest.class.getResourceAsStream("client.mjs")) {
      Files.write(script, Objects.requireNonNull(in).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "--no-save", NODE_CLIENT);
    RequiredPrograms.assumePresent(
        Files.isDirectory(home.resolve("node_modules/@redis/client")), NODE_CLIENT + " from npm");
    assertEquals(
        "all went well", run("node", "client.mjs", Integer.toString(served.port()), Served.TOKEN));
  }
}
