package org.example.shop;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.servlet.RateLimitFilter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** Limits through the API, and a servlet by its annotation; fails unless both hold. */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    String place = Main.class.getModule().isNamed() ? "module path" : "class path";
    List<String> byHand = byHand();
    expect(List.of("true", "true", "false"), byHand);
    List<String> served = served();
    expect(List.of("200 r=2", "200 r=1", "200 r=0", "429 r=0"), served);
    System.out.println("on the " + place + ": by hand " + byHand + ", served " + served);
  }

  private static void expect(List<String> expected, List<String> seen) {
    if (!seen.equals(expected)) {
      throw new IllegalStateException(seen + " instead of " + expected);
    }
  }

  private static List<String> byHand() {
    Policy policy = Policy.builder("signup").limit(2).window(Duration.ofHours(1)).build();
    List<String> admitted = new ArrayList<>();
    try (RateLimiter limiter = RateLimiter.inProcess()) {
      for (int i = 0; i < 3; i++) {
        Decision decision = limiter.tryAcquire(policy, Key.of("eve"));
        admitted.add(Boolean.toString(decision.admitted()));
      }
    }
    return admitted;
  }

  private static List<String> served() throws Exception {
    Path directory = Files.createTempDirectory("shop");
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", directory.toString());
    context.setParentClassLoader(Main.class.getClassLoader());
    limit(context);
    Tomcat.addServlet(context, "offer", OfferServlet.class.getName()).addMapping("/offer");
    tomcat.start();
    try {
      return get(URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/offer"));
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  private static void limit(Context context) {
    FilterDef filter = new FilterDef();
    filter.setFilterName("limits");
    filter.setFilterClass(RateLimitFilter.class.getName());
    context.addFilterDef(filter);
    FilterMap everything = new FilterMap();
    everything.setFilterName("limits");
    everything.addURLPattern("/*");
    context.addFilterMap(everything);
  }

  private static List<String> get(URI uri) throws Exception {
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
