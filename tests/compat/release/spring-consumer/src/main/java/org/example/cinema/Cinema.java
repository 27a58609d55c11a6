package org.example.cinema;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Limits a handler and a bean's method by their annotations alone; fails unless both hold. */
@SpringBootApplication
public class Cinema {
  public static void main(String[] args) throws Exception {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(Cinema.class, "--server.address=127.0.0.1", "--server.port=0")) {
      String port = context.getEnvironment().getProperty("local.server.port");
      URI base = URI.create("http://127.0.0.1:" + port);
      List<String> films = get(base.resolve("/films"));
      expect(List.of("200 r=2", "200 r=1", "200 r=0", "429 r=0"), films);
      List<String> tickets = get(base.resolve("/tickets"));
      expect(List.of("200", "200", "429", "429"), tickets.stream().map(s -> s.split(" ")[0]).toList());
      System.out.println(
          "on Spring Boot " + SpringBootVersion.getVersion() + ": " + films + ", " + tickets);
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
