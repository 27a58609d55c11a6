package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.seeds.DeepOnly;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.RedisClient;

/** Unpacks the archive, starts the server, sends requests and stops it, as an operator does. */
@OneDayIn(2)
class ArchiveTest {
  private static final String ALL = "all";
  private static final Pattern ARCHIVE =
      Pattern.compile("weir-server-.*?(-(?<platform>(linux|macos|windows).*))?\\.tar\\.gz");

  @TempDir private static Path folder;

  private static Path home;

  @BeforeAll
  static void unpack() throws IOException, InterruptedException {
    Map<String, Path> archives = archives();
    Path archive = archives.getOrDefault(platform(), archives.get(ALL));
    Process tar =
        new ProcessBuilder("tar", "-xzf", archive.toString(), "-C", folder.toString())
            .inheritIO()
            .start();
    assertEquals(0, tar.waitFor());
    try (Stream<Path> files = Files.list(folder)) {
      home = files.findFirst().orElseThrow();
    }
    // The first run makes the class data and says so.
    run(folder.resolve("none"), "--version");
  }

  /** The archives by platform. */
  private static Map<String, Path> archives() throws IOException {
    Map<String, Path> archives = new HashMap<>();
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      for (Path each : files.toList()) {
        Matcher name = ARCHIVE.matcher(each.getFileName().toString());
        if (name.matches()) {
          archives.put(Objects.requireNonNullElse(name.group("platform"), ALL), each);
        }
      }
    }
    assertTrue(archives.containsKey(ALL), "there is no archive: package it");
    return archives;
  }

  /** The platform of this machine, as archives name it. */
  private static String platform() {
    return (System.getProperty("os.name") + "-" + System.getProperty("os.arch"))
        .toLowerCase(Locale.ROOT)
        .replace("amd64", "x86_64");
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
    Path loaded = folder.resolve("loaded");
    Map<String, String> logged =
        Map.of("WEIR_JAVA_OPTS", ServerProcess.JAVA_OPTIONS + " -Xlog:class+load:file=" + loaded);
    try (ServerProcess again = ServerProcess.start(command(), data, logged)) {
      String http = again.awaitLine("http");
      again.awaitLine("ready");
      assertTrue(again.lines().stream().noneMatch(line -> line.startsWith("admin token")));
      assertEquals(200, check(http, token).statusCode());
    }
    assertClassesAreShared(loaded);
  }

  /**
   * Most classes of a start come from the class data: the list is complete, and Java takes them.
   */
  private static void assertClassesAreShared(Path loaded) throws IOException {
    List<String> lines = Files.readAllLines(loaded);
    long shared = lines.stream().filter(line -> line.contains("shared objects file")).count();
    long others = lines.stream().filter(line -> line.contains("source: file:")).count();
    assertTrue(
        shared > 9 * others,
        () -> others + " classes are missing in src/main/archive/lib/weir-server.classlist");
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
    Files.walkFileTree(
        data,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes)
              throws IOException {
            assertEquals("rwx------", permissions(each), each::toString);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path each, BasicFileAttributes attributes)
              throws IOException {
            try {
              assertEquals("rw-------", permissions(each), each::toString);
              return FileVisitResult.CONTINUE;
            } catch (NoSuchFileException deleted) {
              return visitFileFailed(each, deleted);
            }
          }

          @Override
          public FileVisitResult visitFileFailed(Path each, IOException failed) throws IOException {
            if (failed instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // RocksDB replaces its files
            }
            throw failed;
          }
        });
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
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
  void archivesOfOnePlatformAreUnder50Megabytes() throws IOException {
    Map<String, Path> archives = archives();
    archives.remove(ALL);
    assertTrue(archives.containsKey("linux-x86_64"), archives::toString);
    for (Path each : archives.values()) {
      assertTrue(Files.size(each) < 50_000_000, () -> each + " is larger");
    }
  }

  @Test
  @DeepOnly
  void everyPlatformHasItsArchive() throws IOException {
    assertEquals(
        Set.of(ALL, "linux-x86_64", "linux-aarch64", "macos", "windows-x86_64"),
        archives().keySet());
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
            "LICENSE",
            "NOTICE")) {
      assertTrue(Files.isRegularFile(home.resolve(each)), each);
    }
  }

  @Test
  void tellsTheLicenceOfEachJar() throws IOException {
    List<String> jars = jars().stream().filter(each -> !each.startsWith("weir-")).toList();
    assertTrue(jars.size() > 50, jars::toString);
    assertEquals("", String.join("\n", new ThirdParties(home).problems(jars)));
    assertTrue(
        Files.isRegularFile(
            home.resolve(
                "licenses/of-jars/jackson-core-" + version(jars) + "-jar/META-INF/NOTICE")));
  }

  private static String version(List<String> jars) {
    return jars.stream()
        .filter(each -> each.startsWith("jackson-core-"))
        .findFirst()
        .orElseThrow()
        .substring("jackson-core-".length());
  }

  /** All jars, without the end of their names, and RocksDB's without the platform. */
  private static List<String> jars() throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("lib"))) {
      return files
          .map(each -> each.getFileName().toString())
          .filter(each -> each.endsWith(".jar"))
          .map(each -> each.replaceFirst("(-linux|-macos|-windows)?\\.jar$", ""))
          .sorted()
          .toList();
    }
  }

  @Test
  void ourOwnJarsCarryLicenceAndNotice() throws IOException {
    for (String each : jars()) {
      if (each.startsWith("weir-")) {
        try (JarFile jar = new JarFile(home.resolve("lib/" + each + ".jar").toFile())) {
          assertTrue(jar.getEntry("META-INF/LICENSE") != null, each);
          assertTrue(jar.getEntry("META-INF/NOTICE") != null, each);
        }
      }
    }
  }
}
