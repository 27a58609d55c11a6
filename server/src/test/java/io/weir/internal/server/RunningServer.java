package io.weir.internal.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.compat.redis.Await;
import io.weir.rules.problem.RulesUnavailableException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server in this process, with counts and rules in memory and any free ports. */
public final class RunningServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> printed = new CopyOnWriteArrayList<>();
  private final WeirServer service;

  /** Starts one; the settings override the usual ones. */
  public RunningServer(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("weir.store", "inprocess:");
    all.put("weir.rules", memory());
    all.put("weir.rules.timeout", "10s"); // a busy machine is no outage
    all.put("weir.store.timeout", "10s");
    all.put("weir.server.listeners", "http");
    all.put("weir.server.http.port", "0");
    all.put("weir.server.grpc.port", "0");
    all.put("weir.server.redis.port", "0");
    all.put("weir.server.stop.delay", "1ms");
    all.putAll(settings);
    service = WeirServer.start(all, new AdminTokenBootstrap(printed::add));
  }

  /** A database of its own, which two servers may share. */
  public static String memory() {
    return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
  }

  public WeirServer service() {
    return service;
  }

  /** The tokens that were printed at the start. */
  public List<String> printed() {
    return printed;
  }

  /** The token that is printed at the start, or once a database that was away can be reached. */
  public String admin() {
    Await.until("the first token is printed", () -> !printed.isEmpty());
    return printed.get(0);
  }

  /** Waits until the rules can be changed: a busy database may be reached only after the start. */
  public RunningServer awaitRules() {
    Await.until("the rules are read", this::canRefresh);
    return this;
  }

  private boolean canRefresh() {
    try {
      service.rules().refresh();
      return true;
    } catch (RulesUnavailableException away) {
      return false;
    }
  }

  public String url() {
    return service.listeners().get(0).address();
  }

  /** A request with header fields, each a name and a value. */
  public HttpResponse<String> send(String method, String path, String body, String... fields) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    for (int i = 0; i < fields.length; i += 2) {
      request.header(fields[i], fields[i + 1]);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }

  public HttpResponse<String> get(String path, String token) {
    return send("GET", path, "", "Authorization", "Bearer " + token);
  }

  public HttpResponse<String> check(String token) {
    return send(
        "POST",
        "/v1/ratelimit/check",
        "{\"userId\":\"alice\",\"endpoint\":\"/api/posts\"}",
        "Authorization",
        "Bearer " + token,
        "Content-Type",
        "application/json");
  }

  /** The status of a request as it goes over the wire: Java's own client chooses Host itself. */
  public int raw(String methodAndPath, String... fields) throws IOException {
    URI address = URI.create(url());
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      String request =
          methodAndPath
              + " HTTP/1.1\r\n"
              + String.join("\r\n", fields)
              + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return Integer.parseInt(answer.split(" ")[1]);
    }
  }

  public static JsonNode json(HttpResponse<String> response) {
    try {
      return JSON.readTree(response.body());
    } catch (IOException malformed) {
      throw new IllegalStateException(malformed);
    }
  }

  @Override
  public void close() {
    service.close();
  }
}
