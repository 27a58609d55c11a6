package org.example.museum;

import io.micronaut.context.ApplicationContext;
import io.micronaut.core.version.VersionUtils;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Limits a route and a bean's method by their annotations alone; fails unless both hold. */
public final class Museum {
  private Museum() {}

  public static void main(String[] args) throws Exception {
    Map<String, Object> address =
        Map.of("micronaut.server.host", "127.0.0.1", "micronaut.server.port", "-1");
    try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, address)) {
      List<String> pictures = get(server.getURI().resolve("/pictures"));
      expect(List.of("200 r=2", "200 r=1", "200 r=0", "429 r=0"), pictures);
      List<String> tickets = get(server.getURI().resolve("/tickets"));
      expect(
          List.of("200", "200", "429", "429"), tickets.stream().map(s -> s.split(" ")[0]).toList());
      String version = VersionUtils.getMicronautVersion();
      System.out.println("on Micronaut " + version + ": " + pictures + ", " + tickets);
    }
  }

  private static void expect(List<String> expected, List<String> seen) {
    if (!seen.equals(expected)) {
      throw new IllegalStateException(seen + " instead of " + expected);
    }
  }

  static List<String> get(URI uri) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      HttpResponse<String> response =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      String fields = response.headers().firstValue("RateLimit").orElse("");
      answers.add(response.statusCode() + " " + fields.replaceAll(".*;(r=\\d+);.*", "$1"));
    }
    return answers;
  }
}
