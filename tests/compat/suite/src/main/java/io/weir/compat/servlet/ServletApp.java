package io.weir.compat.servlet;

import static io.restassured.RestAssured.given;

import io.restassured.specification.RequestSpecification;
import io.weir.Weir;
import io.weir.testkit.FakeTicker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * An application that runs in a server, and a client of it.
 *
 * <p>Each request waits until no other is in flight, so that the filters have done their work after
 * the response.
 */
final class ServletApp implements AutoCloseable {
  private static final int MAX_TRIES = 50_000;
  private static final long PAUSE_NANOS = 200_000;

  private final ServletServer.Running server;
  private final Weir weir;
  private final FakeTicker ticker;
  private final Path directory;

  ServletApp(ServletServer.Running server, Weir weir, FakeTicker ticker, Path directory) {
    this.server = server;
    this.directory = directory;
    this.weir = weir;
    this.ticker = ticker;
  }

  static ServletAppBuilder on(ServletServer server) {
    return new ServletAppBuilder(server);
  }

  Weir weir() {
    return weir;
  }

  Answer get(String path, String... headers) {
    return send("GET", path, headers);
  }

  Answer send(String method, String path, String... headers) {
    return sendFrom("127.0.0.1", method, path, headers);
  }

  /** Sends from another of this machine's addresses, such as {@code 127.0.0.2}. */
  Answer sendFrom(String address, String method, String path, String... headers) {
    return raw(address, method, ServletServer.CONTEXT + path, headers);
  }

  /** Sends a request target unchanged. */
  Answer raw(String address, String method, String target, String... headers) {
    String fields = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
    String request =
        method
            + " "
            + target
            + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + fields
            + "\r\n";
    Answer answer = RawHttp.send(address, server.port(), request);
    awaitIdle();
    return answer;
  }

  /** Sends a request with a body, given as bytes in ISO 8859-1. */
  Answer post(String path, String type, String body, String... headers) {
    return RawHttp.send("127.0.0.1", server.port(), withBody(path, type, body, headers));
  }

  /** Makes such a request. */
  static String withBody(String path, String type, String body, String... headers) {
    String fields = headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
    String length =
        fields.contains("Transfer-Encoding") ? "" : "Content-Length: " + body.length() + "\r\n";
    return "POST "
        + ServletServer.CONTEXT
        + path
        + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: "
        + type
        + "\r\n"
        + length
        + fields
        + "\r\n"
        + body;
  }

  int port() {
    return server.port();
  }

  /** Sends several requests one after the other, and returns their statuses. */
  List<Integer> statuses(int requests, String method, String path, String... headers) {
    return IntStream.range(0, requests)
        .mapToObj(each -> send(method, path, headers).status())
        .toList();
  }

  /** Starts a request to this application. */
  RequestSpecification client() {
    return given().baseUri("http://127.0.0.1").port(server.port()).basePath(ServletServer.CONTEXT);
  }

  void advance(Duration time) {
    ticker.advance(time);
  }

  FakeTicker ticker() {
    return ticker;
  }

  private void awaitIdle() {
    for (int tries = 0; weir.requestsInFlight() > 0 && tries < MAX_TRIES; tries++) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    if (weir.requestsInFlight() > 0) {
      throw new AssertionError("a request is still under way");
    }
  }

  @Override
  public void close() throws Exception {
    server.stop().close();
    weir.close();
    WebAppDirectories.delete(directory);
  }

  /** Makes a list of statuses. */
  static List<Integer> list(Integer... statuses) {
    return Arrays.asList(statuses);
  }
}
