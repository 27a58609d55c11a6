package io.weir.compat.stack;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/** Sends requests to an application as callers of its own making. Safe for concurrent use. */
final class StackClient {
  private static final String USER = "X-User";
  private static final String PASSWORD = "secret";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** The methods that the JDK's client repeats if the server has closed a kept connection. */
  private static final Set<String> REPEATED = Set.of("GET", "HEAD");

  private final URI base;
  private final boolean basic;
  private final HttpClient http = newClient();

  /**
   * Makes a client.
   *
   * @param base the application's address
   * @param basic whether the user of {@code X-User} also signs in by Basic authentication
   */
  StackClient(URI base, boolean basic) {
    this.base = base;
    this.basic = basic;
  }

  /** A caller with an address, and perhaps header fields. */
  record Caller(String address, List<String> fields) {
    static Caller at(String address) {
      return new Caller(address, List.of());
    }

    Caller with(String name, String value) {
      List<String> more = new ArrayList<>(fields);
      more.add(name);
      more.add(value);
      return new Caller(address, List.copyOf(more));
    }
  }

  Reply get(String path, Caller caller) throws IOException, InterruptedException {
    return send("GET", path, caller);
  }

  Reply send(String method, String path, Caller caller) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(PATIENCE)
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header("X-Forwarded-For", caller.address());
    for (int i = 0; i < caller.fields().size(); i += 2) {
      request.header(caller.fields().get(i), caller.fields().get(i + 1));
      if (basic && caller.fields().get(i).equals(USER)) {
        request.header("Authorization", signIn(caller.fields().get(i + 1)));
      }
    }
    // After the 500 of an unmapped exception, Helidon closes the connection despite its keep-alive.
    HttpClient sender = REPEATED.contains(method) ? http : newClient();
    return Reply.of(sender.send(request.build(), HttpResponse.BodyHandlers.ofString()));
  }

  private static HttpClient newClient() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(PATIENCE)
        .build();
  }

  private static String signIn(String user) {
    byte[] credentials = (user + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(credentials);
  }

  List<Reply> get(int times, String path, Caller caller) throws IOException, InterruptedException {
    List<Reply> replies = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      replies.add(get(path, caller));
    }
    return replies;
  }
}
