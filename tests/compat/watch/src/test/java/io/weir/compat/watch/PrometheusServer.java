package io.weir.compat.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.compat.redis.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real Prometheus in a folder and on a port of its own. Confine to one thread. */
final class PrometheusServer implements AutoCloseable {
  private static final Pattern LISTENS = Pattern.compile("\"Listening on\" address=(\\S+)");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final String address;

  /** Starts it with a configuration. */
  PrometheusServer(Path folder, String configuration) {
    try {
      Path file = folder.resolve("prometheus.yml");
      Files.writeString(file, configuration);
      Path log = folder.resolve("log.txt");
      process =
          new ProcessBuilder(
                  "prometheus",
                  "--config.file=" + file,
                  "--storage.tsdb.path=" + folder.resolve("data"),
                  "--web.listen-address=127.0.0.1:0")
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      Await.until("Prometheus listens", () -> LISTENS.matcher(read(log)).find());
      Matcher listens = LISTENS.matcher(read(log));
      assertTrue(listens.find());
      address = listens.group(1);
      Await.until("Prometheus is ready", () -> answer("/-/ready").statusCode() == 200);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private String read(Path log) {
    try {
      String text = Files.readString(log);
      assertTrue(process.isAlive(), text);
      return text;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Evaluates a query now, and returns the series; fails if it isn't well-formed. */
  JsonNode query(String expression) {
    JsonNode answer =
        get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
    assertEquals("success", answer.path("status").asText(), () -> expression + ": " + answer);
    return answer.path("data").path("result");
  }

  /** Evaluates a query for each second of a time, in seconds since 1970. */
  JsonNode range(String expression, long begin, long end) {
    String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    return get("/api/v1/query_range?step=1&start=" + begin + "&end=" + end + "&query=" + query)
        .path("data")
        .path("result");
  }

  JsonNode get(String path) {
    try {
      return JSON.readTree(answer(path).body());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private HttpResponse<String> answer(String path) {
    try {
      return CLIENT.send(
          HttpRequest.newBuilder(URI.create("http://" + address + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
