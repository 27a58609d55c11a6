package org.example.bakery;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.config.ConfigProvider;

/** Limits a resource and a bean's method by their annotations alone; fails unless both hold. */
@QuarkusMain
public class Bakery implements QuarkusApplication {
  @Override
  public int run(String... args) throws Exception {
    String port = ConfigProvider.getConfig().getValue("quarkus.http.port", String.class);
    URI base = URI.create("http://127.0.0.1:" + port);
    List<String> loaves = get(base.resolve("/loaves"));
    expect(List.of("200 r=2", "200 r=1", "200 r=0", "429 r=0"), loaves);
    List<String> cakes = get(base.resolve("/cakes"));
    expect(List.of("200", "200", "429", "429"), cakes.stream().map(s -> s.split(" ")[0]).toList());
    String version = Quarkus.class.getPackage().getImplementationVersion();
    System.out.println("on Quarkus " + version + ": " + loaves + ", " + cakes);
    return 0;
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
