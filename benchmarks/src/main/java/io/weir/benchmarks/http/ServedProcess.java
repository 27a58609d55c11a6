package io.weir.benchmarks.http;

import io.weir.benchmarks.Child;
import io.weir.benchmarks.Libraries;
import io.weir.benchmarks.ProcessorTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final List<String> FIELDS =
      List.of("RateLimit", "RateLimit-Policy", "X-RateLimit-Limit");

  private final Child server;
  private final Child client;
  private final URI base;

  ServedProcess(Server kind, Path directory) throws IOException {
    this.server =
        Child.start(
            SERVER, Libraries.classPath(), ServerMain.class, kind.name(), directory.toString());
    try {
      String port = server.hear();
      this.base = URI.create("http://" + Server.HOST + ":" + port);
      this.client = Child.start(CLIENT, ClientMain.class, port);
      awaitRules();
      check();
    } catch (IOException | RuntimeException failed) {
      server.close();
      throw failed;
    }
  }

  /**
   * Waits until rules decide. On a busy machine a cold process may answer its first look-up too
   * late, and then admits the request without header fields.
   */
  private void awaitRules() throws IOException {
    long began = System.nanoTime();
    boolean decides = false;
    while (!decides && System.nanoTime() - began < PATIENCE_NANOS) {
      decides = !fieldsOf(get(HttpLoad.RULES)).isEmpty();
    }
  }

  /**
   * Checks that each load is answered as it should be; the first request that is to be refused is
   * admitted.
   */
  void check() throws IOException {
    get(HttpLoad.REFUSED);
    for (HttpLoad load : HttpLoad.values()) {
      HttpResponse<String> answer = get(load);
      boolean right =
          load == HttpLoad.REFUSED
              ? answer.statusCode() == 429
              : answer.statusCode() == 200 && answer.body().equals(Hello.TEXT);
      require(right && fieldsOf(answer).equals(load.fields), load, answer);
    }
  }

  private static List<String> fieldsOf(HttpResponse<String> answer) {
    return FIELDS.stream().filter(each -> answer.headers().firstValue(each).isPresent()).toList();
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

  private static void require(boolean right, HttpLoad load, HttpResponse<String> answer) {
    if (!right) {
      throw new IllegalStateException(
          load
              + ": wrong answer, status "
              + answer.statusCode()
              + ", "
              + answer.headers().map()
              + ", "
              + answer.body());
    }
  }

  /** Sends so many requests of a load, some in one go on each connection. */
  Round measure(HttpLoad load, int inOneGo, int requests) throws IOException {
    long bytes = Long.parseLong(server.ask("?"));
    long nanos = ProcessorTime.nanosOf(server.pid());
    String[] round =
        client.ask(load.path + " " + load.end + " " + inOneGo + " " + requests).split(" ");
    nanos = ProcessorTime.nanosOf(server.pid()) - nanos;
    bytes = Long.parseLong(server.ask("?")) - bytes;
    double answers = Long.parseLong(round[2]);
    return new Round(
        nanos / answers / MICRO,
        bytes / answers,
        answers * 1e9 / Long.parseLong(round[0]),
        Long.parseLong(round[1]) / MICRO);
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
