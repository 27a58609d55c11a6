package io.weir.spring.webflux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootVersion;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Tries the faults of Reactor Netty that the page for Spring names, without Spring and Weir, on the
 * version that this Spring Boot brings: with Boot 4 as it is, with Boot 3 as the page advises.
 */
class ReactorNettyTest {
  private static final int CONNECTIONS = 8;
  private static final int REQUESTS = 400;

  @TempDir static Path directory;
  private static DisposableServer server;

  @BeforeAll
  static void start() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "a file");
    server =
        HttpServer.create()
            .host("127.0.0.1")
            .port(0)
            .route(
                routes ->
                    routes
                        .get(
                            "/elsewhere",
                            (request, response) ->
                                text(response, elsewhere().thenReturn("elsewhere")))
                        .get("/now", (request, response) -> text(response, Mono.just("now")))
                        .get(
                            "/empty",
                            (request, response) ->
                                elsewhere().then(response.header("content-length", "0").send()))
                        .get(
                            "/file",
                            (request, response) ->
                                response.header("content-length", "6").sendFile(file)))
            .bindNow();
  }

  @AfterAll
  static void stop() {
    server.disposeNow();
  }

  private static Mono<Void> elsewhere() {
    return Mono.<Void>empty().publishOn(Schedulers.parallel());
  }

  private static Mono<Void> text(HttpServerResponse response, Mono<String> text) {
    return text.flatMap(
        each ->
            response
                .header("content-length", String.valueOf(each.length()))
                .sendString(Mono.just(each))
                .then());
  }

  /** A request that comes before the previous one has ended; only Boot 4 has the version for it. */
  @Test
  @EnabledIf("isMended")
  void readsOnAfterRequestsThatWereSentAtOnce() throws IOException {
    try (RawConnection connection = connect()) {
      connection.send("/elsewhere", "/now");
      assertEquals(200, connection.status());
      assertEquals(200, connection.status());
      connection.send("/now");
      assertEquals(200, connection.status());
    }
  }

  static boolean isMended() {
    return !SpringBootVersion.getVersion().startsWith("3.");
  }

  /** About one response in three hundred was never sent. */
  @Test
  void readsOnWhenTheEventLoopAnswersAfterAnotherThread() throws Exception {
    assertAnswered("/elsewhere", "/now");
  }

  /** About one file in three hundred was never sent. */
  @Test
  void sendsFilesAfterEmptyResponses() throws Exception {
    assertAnswered("/empty", "/file");
  }

  private static void assertAnswered(String first, String then) throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CONNECTIONS);
    try {
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        all.add(clients.submit(() -> answered(first, then)));
      }
      for (Future<Integer> each : all) {
        assertEquals(REQUESTS, each.get());
      }
    } finally {
      clients.shutdownNow();
    }
  }

  private static int answered(String first, String then) throws IOException {
    int answered = 0;
    try (RawConnection connection = connect()) {
      for (int i = 0; i < REQUESTS; i++) {
        connection.send(first);
        connection.status();
        connection.send(then);
        answered += connection.status() == 200 ? 1 : 0;
      }
    }
    return answered;
  }

  private static RawConnection connect() throws IOException {
    return new RawConnection(new Socket(InetAddress.getLoopbackAddress(), server.port()));
  }
}
