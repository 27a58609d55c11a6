package io.weir.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.MetadataUtils;
import io.weir.compat.redis.RedisServer;
import io.weir.grpc.v1.CheckRequest;
import io.weir.grpc.v1.RateLimitServiceGrpc;
import io.weir.rules.access.NewAccessToken;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks that a new token is valid at once for every protocol, whichever process created it. */
class FreshTokenTest {
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int UNAVAILABLE = 503;
  private static final String SESSION = "/v1/session";
  private static final String UNKNOWN = "weir_" + "x".repeat(43);

  private static RunningServer server;
  private static RunningServer other;

  @BeforeAll
  static void start() {
    String database = RunningServer.memory();
    server =
        new RunningServer(
            Map.of(
                "weir.rules", database,
                "weir.rules.timeout", "10s",
                "weir.server.listeners", "http,grpc,redis"));
    other = new RunningServer(Map.of("weir.rules", database));
  }

  @AfterAll
  static void stop() {
    other.close();
    server.close();
  }

  private static NewAccessToken madeElsewhere() {
    return other
        .service()
        .rules()
        .tokens()
        .create("new", "weir-admin", Optional.empty(), Optional.empty(), "test");
  }

  private static String address(String protocol) {
    return address(server, protocol);
  }

  private static String address(RunningServer of, String protocol) {
    return of.service().listeners().stream()
        .filter(each -> each.protocol().text().equals(protocol))
        .findFirst()
        .orElseThrow()
        .address();
  }

  @Test
  void byHttp() {
    for (int i = 0; i < 3; i++) {
      assertEquals(OK, server.check(madeElsewhere().secret()).statusCode());
    }
    assertEquals(UNAUTHORIZED, server.check(UNKNOWN).statusCode());
  }

  @Test
  void soDoesASession() {
    String cookie = session(other, madeElsewhere().secret());
    int status = server.send("GET", SESSION, "", "Cookie", cookie).statusCode();
    assertEquals(OK, status);
  }

  @Test
  void byGrpc() {
    ManagedChannel channel =
        ManagedChannelBuilder.forTarget(address("grpc")).usePlaintext().build();
    try {
      for (int i = 0; i < 3; i++) {
        assertEquals(Status.Code.OK, check(channel, madeElsewhere().secret()));
      }
      assertEquals(Status.Code.UNAUTHENTICATED, check(channel, UNKNOWN));
    } finally {
      channel.shutdownNow();
    }
  }

  private static Status.Code check(ManagedChannel channel, String token) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    try {
      var unused =
          RateLimitServiceGrpc.newBlockingStub(channel)
              .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
              .check(CheckRequest.newBuilder().setUserId("a").setEndpoint("/x").build());
      return Status.Code.OK;
    } catch (StatusRuntimeException refused) {
      return refused.getStatus().getCode();
    }
  }

  @Test
  void byTheRedisProtocolWithWhatFollowsInOrder() throws Exception {
    String token = madeElsewhere().secret();
    assertEquals(List.of("+OK", "+PONG"), replies("AUTH " + token + "\r\nPING\r\n", 2));
    assertEquals(
        "%7", replies("HELLO 3 AUTH default " + madeElsewhere().secret() + "\r\n", 1).get(0));
    List<String> refused = replies("AUTH " + UNKNOWN + "\r\nPING\r\n", 2);
    assertTrue(refused.get(0).startsWith("-WRONGPASS"), refused::toString);
    assertTrue(refused.get(1).startsWith("-NOAUTH"), refused::toString);
  }

  private static List<String> replies(String commands, int lines) throws Exception {
    return replies(address("redis"), commands, lines);
  }

  private static List<String> replies(String at, String commands, int lines) throws Exception {
    String[] address = at.split(":");
    try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
      socket.setSoTimeout(120_000);
      socket.getOutputStream().write(commands.getBytes(StandardCharsets.US_ASCII));
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      List<String> read = new ArrayList<>();
      for (int i = 0; i < lines; i++) {
        read.add(in.readLine());
      }
      return read;
    }
  }

  /** The database's listener begins late: what the server is to read is there all the time. */
  @Test
  void untilTokensHaveBeenReadOnceClientsAreToRetry() throws Exception {
    String database = RunningServer.memory();
    int port = RedisServer.freePort();
    try (RunningServer maker = new RunningServer(Map.of("weir.rules", database))) {
      String token = maker.admin();
      String cookie = session(maker, token);
      String away = database.replace("h2:", "h2:tcp://127.0.0.1:" + port + "/").split(";")[0];
      try (RunningServer started =
          new RunningServer(
              Map.of(
                  "weir.rules", away,
                  "weir.rules.timeout", "10s",
                  "weir.server.listeners", "http,grpc,redis"))) {
        ManagedChannel channel =
            ManagedChannelBuilder.forTarget(address(started, "grpc")).usePlaintext().build();
        try {
          var health =
              HealthGrpc.newBlockingStub(channel)
                  .withDeadlineAfter(2, TimeUnit.MINUTES)
                  .watch(HealthCheckRequest.getDefaultInstance());
          assertEquals(ServingStatus.NOT_SERVING, health.next().getStatus());
          assertEquals(UNAVAILABLE, started.check(token).statusCode());
          assertEquals(
              UNAVAILABLE, started.send("GET", SESSION, "", "Cookie", cookie).statusCode());
          assertEquals(
              UNAUTHORIZED,
              started.send("GET", SESSION, "", "Authorization", "Basic YTpi").statusCode());
          assertEquals(UNAUTHORIZED, started.send("GET", SESSION, "").statusCode());
          assertEquals(Status.Code.UNAVAILABLE, check(channel, token));
          String auth = "AUTH " + token + "\r\n";
          String loading = replies(address(started, "redis"), auth, 1).get(0);
          assertTrue(loading.startsWith("-LOADING "), loading);
          assertEquals(503, started.send("GET", "/health/ready", "").statusCode());

          Server listener = Server.createTcpServer("-tcpPort", String.valueOf(port)).start();
          try {
            assertEquals(ServingStatus.SERVING, health.next().getStatus());
            assertEquals(200, started.send("GET", "/health/ready", "").statusCode());
            assertEquals(OK, started.check(token).statusCode());
            assertEquals(OK, started.send("GET", SESSION, "", "Cookie", cookie).statusCode());
            assertEquals(Status.Code.OK, check(channel, token));
            assertEquals(List.of("+OK"), replies(address(started, "redis"), auth, 1));
            assertEquals(UNAUTHORIZED, started.check(UNKNOWN).statusCode());
          } finally {
            listener.stop();
          }
        } finally {
          channel.shutdownNow();
        }
      }
    }
  }

  private static String session(RunningServer at, String token) {
    return at.send("POST", SESSION, "", "Authorization", "Bearer " + token)
        .headers()
        .firstValue("Set-Cookie")
        .orElseThrow()
        .split(";")[0];
  }

  @Test
  void guessesKeepNobodyFromAnAnswer() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(32);
    try {
      List<Future<Integer>> guesses = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String guess = "weir_" + "y".repeat(40) + (100 + i);
        Callable<Integer> asked = () -> server.check(guess).statusCode();
        guesses.add(threads.submit(asked));
      }
      assertEquals(OK, server.check(server.admin()).statusCode());
      for (Future<Integer> each : guesses) {
        assertEquals(UNAUTHORIZED, each.get());
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
