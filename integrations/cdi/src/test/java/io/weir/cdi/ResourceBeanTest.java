package io.weir.cdi;

import static io.weir.cdi.Beans.admitted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Resources of JAX-RS that are beans and call beans: Jersey on Weld. */
class ResourceBeanTest {
  @ApplicationScoped
  static class Mailer {
    @RateLimit(limit = 2, window = 3600, by = By.KEY, key = "header:X-Api-Key", name = "mail")
    public String send() {
      return "sent";
    }
  }

  @Path("/mail")
  @ApplicationScoped
  public static class MailResource {
    @Inject Mailer mailer;

    @GET
    @Path("/send")
    public String send() {
      return mailer.send();
    }

    @GET
    @Path("/own")
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public String own() {
      return "own";
    }

    @GET
    @Path("/later")
    @RateLimit(limit = 2, window = 3600, by = By.ENDPOINT)
    public CompletionStage<String> later() {
      return CompletableFuture.supplyAsync(() -> "later");
    }
  }

  @Path("/whole")
  @ApplicationScoped
  @RateLimit(limit = 2, window = 3600, by = By.IP)
  public static class WholeResource {
    @GET
    public String get() {
      return help();
    }

    public String help() {
      return "whole";
    }
  }

  private final HttpClient client = HttpClient.newHttpClient();
  private Beans beans;
  private HttpServer server;

  @BeforeEach
  void start() {
    beans = Beans.of(Mailer.class, MailResource.class, WholeResource.class);
    server =
        GrizzlyHttpServerFactory.createHttpServer(
            URI.create("http://127.0.0.1:0/"),
            new ResourceConfig(MailResource.class, WholeResource.class));
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
    beans.close();
  }

  private HttpResponse<String> get(String path, String key) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + server.getListener("grizzly").getPort() + path);
    return client.send(
        HttpRequest.newBuilder(uri).header("X-Api-Key", key).build(), BodyHandlers.ofString());
  }

  private int answered(int times, String path, String key) throws Exception {
    int answered = 0;
    for (int at = 0; at < times; at++) {
      int status = get(path, key).statusCode();
      assertTrue(status == 200 || status == 429, path + " " + status);
      answered += status == 200 ? 1 : 0;
    }
    return answered;
  }

  @Test
  void aBeanKnowsTheCallerAndItsRefusalIsTheResponse() throws Exception {
    assertEquals(2, answered(4, "/mail/send", "alice"));
    assertEquals(2, answered(4, "/mail/send", "bob"));

    HttpResponse<String> refused = get("/mail/send", "bob");
    assertTrue(refused.headers().firstValue("Retry-After").isPresent());
    assertTrue(refused.body().contains("mail"), refused.body());
  }

  @Test
  void aResourceThatIsABeanIsChargedOnce() throws Exception {
    assertEquals(2, answered(4, "/mail/own", "alice"));
    assertEquals(2, answered(4, "/mail/later", "alice"));
    assertEquals(2, answered(4, "/whole", "alice"));
  }

  @Test
  void aDirectCallOfAResourceCountsToo() throws Exception {
    WholeResource resource = beans.get(WholeResource.class);

    assertEquals(4, admitted(4, resource::help));
    assertEquals(2, admitted(4, resource::get));
  }
}
