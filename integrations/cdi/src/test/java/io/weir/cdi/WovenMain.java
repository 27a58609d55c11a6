package io.weir.cdi;

import static io.weir.cdi.Beans.admitted;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/** Starts Jersey with beans whose limited methods AspectJ's agent weaves and Weld intercepts. */
public class WovenMain {
  private static final int CALLS = 6;

  private WovenMain() {}

  /** A bean, also with what a container can't intercept. */
  @ApplicationScoped
  static class Mailer {
    @RateLimit(limit = 4, window = 3_600, by = By.ENDPOINT)
    public void send() {}

    public void resend() {
      send();
    }

    public void encrypt() {
      hidden();
    }

    @RateLimit(limit = 3, window = 3_600, by = By.ENDPOINT)
    private void hidden() {}
  }

  /** A resource that other beans call too. */
  @Path("/page")
  @ApplicationScoped
  public static class Pages {
    /** Answers requests and calls. */
    @GET
    @RateLimit(limit = 4, window = 3_600, by = By.ENDPOINT)
    public String page() {
      return "page";
    }
  }

  /**
   * Calls more often than is admitted, and prints how often it was.
   *
   * @param arguments none
   */
  public static void main(String[] arguments) throws Exception {
    try (Beans beans = Beans.of(Mailer.class, Pages.class)) {
      HttpServer server =
          GrizzlyHttpServerFactory.createHttpServer(
              URI.create("http://127.0.0.1:0/"), new ResourceConfig(Pages.class));
      Mailer mailer = beans.get(Mailer.class);
      Pages pages = beans.get(Pages.class);
      print("woven " + (isWoven(Mailer.class) && isWoven(Pages.class)));
      print("send " + admitted(1, mailer::send) + ", then " + admitted(CALLS, mailer::resend));
      print("hidden " + admitted(CALLS, mailer::encrypt));
      int served = 0;
      for (int at = 0; at < 2; at++) {
        served += get(server) == 200 ? 1 : 0;
      }
      print("served " + served + ", then " + admitted(CALLS, pages::page));
      print("then " + get(server));
      server.shutdownNow();
    }
  }

  private static int get(HttpServer server) throws Exception {
    int port = server.getListener("grizzly").getPort();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/page")).build(),
            BodyHandlers.discarding())
        .statusCode();
  }

  private static boolean isWoven(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(each -> each.getName().contains("_aroundBody"));
  }

  private static void print(String line) {
    System.out.println("result: " + line);
  }
}
