package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.server.command.ServerCommand;
import io.weir.internal.server.settings.BootstrapSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the messages of a server that can't start, and of mistyped commands. */
class StartMessagesTest {
  private static final String FILE = "weir.server.admin-token";

  @TempDir private Path folder;

  private static String failure(Map<String, String> settings) {
    RuntimeException failure =
        assertThrows(RuntimeException.class, () -> new RunningServer(settings).close());
    return failure.getMessage();
  }

  private static void assertSays(List<String> words, String message) {
    for (String each : words) {
      assertTrue(message.contains(each), message);
    }
  }

  @Test
  void aTakenPortIsNamedWithTheSettingThatHelps() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());
      for (String protocol : List.of("http", "grpc", "redis")) {
        String setting = "weir.server." + protocol + ".port";
        String message = failure(Map.of("weir.server.listeners", protocol, setting, port));
        assertSays(List.of(protocol + ": ", port, "is taken", setting), message);
      }
    }
  }

  @Test
  void aDirectoryThatAnotherProcessUsesIsNamed() {
    String store = "rocksdb:" + folder.resolve("buckets");
    try (RunningServer first = new RunningServer(Map.of("weir.store", store))) {
      assertTrue(first.service().isReady());
      assertSays(List.of("buckets", "in use"), failure(Map.of("weir.store", store)));
    }
  }

  /** Returns the output of the program for a data directory in which it can't start. */
  private String withData(Path data) throws IOException {
    Path config = Files.writeString(folder.resolve("weir.properties"), "weir.data=" + data);
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(errors, true, StandardCharsets.UTF_8);
    assertEquals(1, ServerCommand.run(stream, stream, "--config", config.toString()));
    return errors.toString(StandardCharsets.UTF_8);
  }

  @Test
  void whatIsNoDirectoryForDataIsNamedWithItsSetting() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    Path nowhere = Files.createSymbolicLink(folder.resolve("nowhere"), folder.resolve("none"));
    Path loop = Files.createSymbolicLink(folder.resolve("loop"), folder.resolve("loop"));
    for (Path data : List.of(file, nowhere, loop)) {
      assertSays(List.of("weir.data: " + data + " isn't a directory"), withData(data));
    }
    assertSays(
        List.of("weir.data: " + file + " isn't a directory"), withData(file.resolve("data")));
    assertSays(
        List.of("weir.data: " + loop + " isn't a directory"), withData(loop.resolve("data")));
    assertSays(List.of("weir.data: /proc/self/data"), withData(Path.of("/proc/self/data")));
  }

  @Test
  void aSecretThatIsNoneIsNamed() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Path secret = Files.writeString(data.resolve("secret"), "");
    assertSays(List.of("weir.data", secret + " is empty"), withData(data));
    Files.delete(secret);
    Files.createDirectory(secret);
    assertSays(List.of("weir.data: " + secret), withData(data));
  }

  @Test
  void aDirectoryForDataMayHaveAnyName() throws IOException {
    Path data = folder.resolve("100%25 of #1?");
    Path config = folder.resolve("weir.properties");
    Files.writeString(config, "weir.data=" + data);
    try (RunningServer server =
        new RunningServer(BootstrapSettings.read(Optional.of(config)).overrides())) {
      assertEquals(200, server.check(server.admin()).statusCode());
    }
    assertTrue(Files.isDirectory(data.resolve("buckets")));
  }

  @Test
  void aSettingThatIsMalformedOrUnknownIsNamed() {
    assertSays(
        List.of("weir.server.http.port", "'70000'", "0 to 65,535"),
        failure(Map.of("weir.server.http.port", "70000")));
    assertSays(
        List.of("weir.server.http.prot", "weir.server.http.port"),
        failure(Map.of("weir.server.http.prot", "1")));
    assertSays(
        List.of("weir.server.listeners", "'htp'", "http, grpc, redis"),
        failure(Map.of("weir.server.listeners", "htp")));
    assertSays(
        List.of("weir.server.jwt.issuer", "together"),
        failure(Map.of("weir.server.jwt.issuer", "https://id.example.org")));
    assertSays(
        List.of("weir.server.tls.certificate", "together"),
        failure(Map.of("weir.server.tls.key", "key.pem")));
  }

  @Test
  void aDatabaseThatIsAwayIsNamedWhereItIsRequired() {
    String message =
        failure(
            Map.of(
                "weir.rules", "jdbc:postgresql://127.0.0.1:1/weir", "weir.rules.required", "true"));
    assertSays(List.of("the rules database can't be read"), message);
  }

  @Test
  void withoutItsDatabaseTheServerStartsAndIsNotReady() {
    try (RunningServer server =
        new RunningServer(Map.of("weir.rules", "jdbc:postgresql://127.0.0.1:1/weir"))) {
      assertEquals(503, server.send("GET", "/health/ready", "").statusCode());
      assertEquals(200, server.send("GET", "/health/live", "").statusCode());
      assertEquals(503, server.check("weir_anything").statusCode());
    }
  }

  @Test
  void theFirstTokenComesFromAFileThatIsChecked() throws IOException {
    Path file = folder.resolve("token");
    assertSays(List.of(FILE, "can't be read"), failure(Map.of(FILE, file.toString())));
    Files.writeString(file, "short");
    assertSays(List.of(FILE, "32 to 512"), failure(Map.of(FILE, file.toString())));
    String token = "0123456789abcdef0123456789abcdef";
    Files.writeString(file, token + "\n");
    try (RunningServer server = new RunningServer(Map.of(FILE, file.toString()))) {
      assertEquals(List.of(), server.printed());
      assertEquals(200, server.check(token).statusCode());
    }
  }

  @Test
  void theCommandTellsWhatItDoesNotUnderstand() {
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(errors, true, StandardCharsets.UTF_8);
    assertEquals(2, ServerCommand.run(stream, stream, "tokn"));
    assertEquals(2, ServerCommand.run(stream, stream, "token"));
    assertEquals(2, ServerCommand.run(stream, stream, "token", "new", "--name", "x"));
    assertEquals(
        1, ServerCommand.run(stream, stream, "--config", folder.resolve("none").toString()));
    assertSays(
        List.of("tokn", "new, list or revoke", "--role", "doesn't exist or can't be read"),
        errors.toString(StandardCharsets.UTF_8));
  }
}
