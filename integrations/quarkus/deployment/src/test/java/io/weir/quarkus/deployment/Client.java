package io.weir.quarkus.deployment;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;

/** Sends requests to the application under test as callers of its own making. */
final class Client {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI base;

  Client(URI base) {
    this.base = base;
  }

  HttpResponse<String> get(String path, String... fields) throws Exception {
    return http.send(request(path, fields).build(), HttpResponse.BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> getLater(String path, String... fields) {
    return http.sendAsync(request(path, fields).build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String body, String... fields) throws Exception {
    return http.send(
        request(path, fields).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  int status(String path, String... fields) throws Exception {
    return get(path, fields).statusCode();
  }

  private HttpRequest.Builder request(String path, String... fields) {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(PATIENCE);
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    return request;
  }

  /** Sends bytes on a connection of its own, and reads until a text has arrived. */
  Socket open(String request, String until) throws IOException {
    Socket socket = new Socket(base.getHost(), base.getPort());
    socket.setSoTimeout((int) PATIENCE.toMillis());
    write(socket, request);
    read(socket, until);
    return socket;
  }

  static void write(Socket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  static String read(Socket socket, String until) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder read = new StringBuilder();
    while (read.indexOf(until) < 0) {
      int each = in.read();
      if (each < 0) {
        throw new IOException("ended after: " + read);
      }
      read.append((char) each);
    }
    return read.toString();
  }

  static String basic(String user, String password) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }
}
