package io.weir.benchmarks.http;

import io.weir.benchmarks.Child;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;

/**
 * A server in a process of its own, and its client in another.
 *
 * <p>Confine to one thread.
 */
final class ServedProcess implements AutoCloseable {
  /** A heap that doesn't grow while it is measured, and no thread that ends with its CPU time. */
  private static final List<String> SERVER =
      List.of("-Xms256m", "-Xmx256m", "-XX:-UseDynamicNumberOfCompilerThreads");

  private static final List<String> CLIENT = List.of("-Xms64m", "-Xmx64m", "-XX:+UseSerialGC");
  private static final double MICRO = 1_000;

  private final Child server;
  private final Child client;
  private final URI base;

  ServedProcess(Server kind, Path directory) throws IOException {
    this.server = Child.start(SERVER, ServerMain.class, kind.name(), directory.toString());
    try {
      String port = server.hear();
      this.base = URI.create("http://" + Server.HOST + ":" + port);
      this.client = Child.start(CLIENT, ClientMain.class, port);
      check();
    } catch (IOException | RuntimeException failed) {
      server.close();
      throw failed;
    }
  }

  /** Whether each load is answered as it should be; the first that is to be refused isn't. */
  void check() throws IOException {
    HttpResponse<String> free = get(HttpLoad.FREE);
    require(free.statusCode() == 200 && free.body().equals(Hello.TEXT) && !tells(free), free);
    HttpResponse<String> admitted = get(HttpLoad.ADMITTED);
    require(
        admitted.statusCode() == 200 && admitted.body().equals(Hello.TEXT) && tells(admitted),
        admitted);
    get(HttpLoad.REFUSED);
    HttpResponse<String> refused = get(HttpLoad.REFUSED);
    require(refused.statusCode() == 429 && tells(refused), refused);
  }

  private static boolean tells(HttpResponse<String> answer) {
    return List.of("RateLimit", "RateLimit-Policy", "X-RateLimit-Remaining").stream()
        .allMatch(each -> answer.headers().firstValue(each).isPresent());
  }

  private HttpResponse<String> get(HttpLoad load) throws IOException {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(base.resolve(load.path)).build(),
              HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException(interrupted));
    }
  }

  private static void require(boolean right, HttpResponse<String> answer) {
    if (!right) {
      throw new IllegalStateException(
          "an answer that isn't as it should be: " + answer.headers() + answer.body());
    }
  }

  /** Sends so many requests of a load, some in one go on each connection. */
  Round measure(HttpLoad load, int inOneGo, int requests) throws IOException {
    String[] before = server.ask("?").split(" ");
    String[] round =
        client.ask(load.path + " " + load.end + " " + inOneGo + " " + requests).split(" ");
    String[] after = server.ask("?").split(" ");
    double answers = Long.parseLong(round[2]);
    return new Round(
        difference(before[0], after[0]) / answers / MICRO,
        difference(before[1], after[1]) / answers,
        answers * 1e9 / Long.parseLong(round[0]),
        Long.parseLong(round[1]) / MICRO);
  }

  private static double difference(String before, String after) {
    return Long.parseLong(after) - Long.parseLong(before);
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
