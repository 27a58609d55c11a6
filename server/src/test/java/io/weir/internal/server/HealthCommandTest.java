package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.redis.Certificate;
import io.weir.internal.server.command.ServerCommand;
import io.weir.internal.server.listener.Listener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code weir-server health}, with which an image checks the server in it. */
class HealthCommandTest {
  @TempDir private Path folder;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int health(Map<String, String> settings) throws IOException {
    StringBuilder lines = new StringBuilder("weir.data=" + folder.resolve("data") + "\n");
    settings.forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
    Path config = Files.writeString(folder.resolve("weir.properties"), lines);
    try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      return ServerCommand.run(out, out, "--config", config.toString(), "health");
    }
  }

  private String said() {
    return printed.toString(StandardCharsets.UTF_8);
  }

  private static String port(Listener listener) {
    return listener.address().replaceAll(".*:", "");
  }

  /** The settings with the port of the first listener. */
  private int healthOf(RunningServer server, Map<String, String> settings) throws IOException {
    Listener first = server.service().listeners().get(0);
    Map<String, String> all = new HashMap<>(settings);
    all.put("weir.server." + first.protocol().text() + ".port", port(first));
    return health(all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
  void findsAServerOnAnyPort(String host) throws IOException {
    Map<String, String> settings = Map.of("weir.server.host", host);
    try (RunningServer server = new RunningServer(settings).awaitRules()) {
      assertEquals(0, healthOf(server, settings), this::said);
    }
    assertEquals("ready", said().strip());
  }

  @Test
  void findsAServerWithTls() throws IOException {
    Certificate.make(folder, "dns:limits.example.org");
    Map<String, String> settings =
        Map.of(
            "weir.server.tls.certificate", folder.resolve("cert.pem").toString(),
            "weir.server.tls.key", folder.resolve("key.pem").toString());
    try (RunningServer server = new RunningServer(settings).awaitRules()) {
      assertEquals(0, healthOf(server, settings), this::said);
      assertEquals(1, healthOf(server, Map.of()), "not by plain HTTP");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"grpc", "redis,grpc"})
  void findsAServerWithoutHttp(String protocols) throws IOException {
    Map<String, String> settings = Map.of("weir.server.listeners", protocols);
    try (RunningServer server = new RunningServer(settings).awaitRules()) {
      assertEquals(0, healthOf(server, settings), this::said);
    }
  }

  @Test
  void saysThatNoServerListens() throws IOException {
    String port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = Integer.toString(free.getLocalPort());
    }
    assertEquals(1, health(Map.of("weir.server.http.port", port)));
    assertTrue(said().contains("not ready: ") && said().contains("can't be reached"), said());
  }

  @Test
  void saysThatAServerIsNotReady() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> answer(server));
      String port = Integer.toString(server.getLocalPort());
      assertEquals(1, health(Map.of("weir.server.http.port", port)));
      answer.join();
    }
    assertTrue(said().contains("not ready: it answered 'HTTP/1.1 503 Service Un"), said());
  }

  private static void answer(ServerSocket server) {
    try (Socket socket = server.accept()) {
      byte[] head = "HTTP/1.1 503 Service Unavailable\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
      socket.getInputStream().read();
      socket.getOutputStream().write(head);
      socket.shutdownOutput();
      socket.getInputStream().readAllBytes();
    } catch (IOException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Test
  void saysThatAPortIsUnknown() throws IOException {
    assertEquals(1, health(Map.of("weir.server.http.port", "0")));
    assertTrue(said().contains("weir.server.http.port: '0' must be a port"), said());
  }

  @Test
  void touchesNoData() throws IOException {
    int unused = health(Map.of("weir.server.http.port", "1"));
    assertTrue(Files.notExists(folder.resolve("data")), this::said);
  }
}
