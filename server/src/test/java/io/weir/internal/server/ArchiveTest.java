package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

/** Unpacks the archive, starts the server, sends requests and stops it, as an operator does. */
class ArchiveTest {
  @TempDir private static Path folder;

  private static Path home;

  @BeforeAll
  static void unpack() throws IOException, InterruptedException {
    Path archive;
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      archive =
          files
              .filter(each -> each.getFileName().toString().matches("weir-server-.*\\.tar\\.gz"))
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("there is no archive: package it"));
    }
    Process tar =
        new ProcessBuilder("tar", "-xzf", archive.toString(), "-C", folder.toString())
            .inheritIO()
            .start();
    assertEquals(0, tar.waitFor());
    try (Stream<Path> files = Files.list(folder)) {
      home = files.findFirst().orElseThrow();
    }
  }

  private static List<String> command(String... arguments) {
    return Stream.concat(
            Stream.of(home.resolve("bin/weir-server").toString()), Stream.of(arguments))
        .toList();
  }

  private static HttpResponse<String> check(String url, String token)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(url + "/v1/ratelimit/check"))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"userId\":\"alice\",\"endpoint\":\"/api/posts\"}"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void startsAnswersStopsAndKnowsItsTokensAgain() throws Exception {
    Path data = folder.resolve("data");
    String token;
    try (ServerProcess server = ServerProcess.start(command(), data, Map.of())) {
      token = server.awaitLine("admin token");
      String http = server.awaitLine("http");
      String grpc = server.awaitLine("grpc");
      String redis = server.awaitLine("redis");
      server.awaitLine("ready");
      assertTrue(grpc.startsWith("127.0.0.1:"), grpc);
      assertEquals(200, check(http, token).statusCode());
      assertEquals(401, check(http, token + "x").statusCode());
      askByRedis(redis, token);
      assertEquals(
          String.join("", run(data, "--version").lines()),
          "weir-server " + awaitVersion(http, token));
      assertOwnersAlone(data);

      List<String> tokens =
          run(data, "token", "new", "--role", "weir-check", "--name", "gateway").lines();
      String second = tokens.get(tokens.size() - 1).split("  ")[1];
      assertEquals(200, awaitKnown(http, second));

      server.stop();
      List<String> all = server.awaitEnd();
      assertEquals("stopped", all.get(all.size() - 1));
      assertEquals(1, all.stream().filter(line -> line.contains(token)).count(), "told once");
    }
    try (ServerProcess again = ServerProcess.start(command(), data, Map.of())) {
      String http = again.awaitLine("http");
      again.awaitLine("ready");
      assertTrue(again.lines().stream().noneMatch(line -> line.startsWith("admin token")));
      assertEquals(200, check(http, token).statusCode());
    }
  }

  /** The version that the node reports of itself. */
  private static String awaitVersion(String url, String token)
      throws IOException, InterruptedException {
    Pattern version = Pattern.compile("\"version\":\"([^\"]+)\"");
    for (int i = 0; i < 600; i++) {
      HttpResponse<String> nodes =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(url + "/v1/admin/ratelimit/nodes"))
                      .header("Authorization", "Bearer " + token)
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      Matcher found = version.matcher(nodes.body());
      if (found.find()) {
        return found.group(1);
      }
      Thread.sleep(100);
    }
    throw new AssertionError("no node reports its version");
  }

  private static void assertOwnersAlone(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path each : files.toList()) {
        String expected = Files.isDirectory(each) ? "rwx------" : "rw-------";
        try {
          assertEquals(
              expected,
              PosixFilePermissions.toString(Files.getPosixFilePermissions(each)),
              each::toString);
        } catch (NoSuchFileException deleted) {
          // RocksDB replaces its files
        }
      }
    }
  }

  private static void askByRedis(String address, String token) {
    String[] parts = address.split(":");
    try (RedisClient client =
        RedisClient.create(
            URI.create("redis://:" + token + "@" + parts[0] + ":" + parts[1]).toString())) {
      assertEquals("PONG", client.ping());
    }
  }

  /** A token that was made beside the server is known within three seconds. */
  private static int awaitKnown(String http, String token)
      throws IOException, InterruptedException {
    int status = 401;
    for (int i = 0; i < 300 && status == 401; i++) {
      status = check(http, token).statusCode();
      Thread.sleep(100);
    }
    return status;
  }

  private static ServerProcess run(Path data, String... arguments)
      throws IOException, InterruptedException {
    ServerProcess process = ServerProcess.start(command(arguments), data, Map.of());
    process.awaitEnd();
    assertEquals(0, process.exitStatus(), process.lines()::toString);
    return process;
  }

  @Test
  void helpsAndTellsItsVersion() throws Exception {
    Path data = folder.resolve("none");
    assertTrue(String.join("\n", run(data, "--help").lines()).contains("--config"));
    String version = String.join("\n", run(data, "--version").lines());
    assertTrue(version.matches("weir-server \\d.*"), version);
    assertFalse(Files.exists(data));
  }

  @Test
  void bringsWhatOthersNeedToRunIt() {
    for (String each :
        List.of(
            "conf/weir.properties",
            "deploy/Dockerfile",
            "deploy/weir-server.service",
            "deploy/kubernetes.yaml",
            "deploy/grafana/overview.json",
            "deploy/prometheus/alerts.yml",
            "LICENSE")) {
      assertTrue(Files.isRegularFile(home.resolve(each)), each);
    }
  }
}
