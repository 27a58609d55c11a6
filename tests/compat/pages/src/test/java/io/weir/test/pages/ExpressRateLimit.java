package io.weir.test.pages;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.seeds.RequiredPrograms;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Runs express-rate-limit from npm in an application of Express, a path for each row of a table.
 * Tests that need it are skipped without npm.
 */
final class ExpressRateLimit implements AutoCloseable {
  private static final Path SOURCES = Path.of("src/test/node/express-rate-limit");
  private static final Path INSTALLED = Path.of("target/node/express-rate-limit");
  private static final int PATIENCE_MINUTES = 3;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final int port;

  ExpressRateLimit(List<String> rows) throws IOException, InterruptedException {
    RequiredPrograms.assumePresent("node", "npm");
    Files.createDirectories(INSTALLED);
    for (String file : List.of("package.json", "application.js")) {
      Files.copy(
          SOURCES.resolve(file), INSTALLED.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    new ObjectMapper().writeValue(INSTALLED.resolve("rows.json").toFile(), rows);
    install();
    process =
        new ProcessBuilder("node", "application.js")
            .directory(INSTALLED.toFile())
            .redirectError(INSTALLED.resolve("complained.txt").toFile())
            .start();
    BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    port =
        Integer.parseInt(
            Objects.requireNonNull(
                said.readLine(), "it ended: target/node/express-rate-limit/complained.txt"));
  }

  private static void install() throws IOException, InterruptedException {
    Path limiter = INSTALLED.resolve("node_modules/express-rate-limit");
    if (!Files.isDirectory(limiter)) {
      Process npm =
          new ProcessBuilder("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts")
              .directory(INSTALLED.toFile())
              .redirectErrorStream(true)
              .redirectOutput(INSTALLED.resolve("npm.txt").toFile())
              .start();
      if (!npm.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        npm.destroyForcibly();
      }
    }
    RequiredPrograms.assumePresent(Files.isDirectory(limiter), "express-rate-limit from npm");
  }

  /** Sends a request to a row's limiter; the handler answers with a status. */
  HttpResponse<String> send(MovingTable.Row row, int status, String... fields)
      throws IOException, InterruptedException {
    return send("GET", row, status, fields);
  }

  HttpResponse<String> send(String method, MovingTable.Row row, int status, String... fields)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + port + "/" + row.number() + "?status=" + status))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (fields.length > 0) {
      request.headers(fields);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
