package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.WeirBuilder;
import io.weir.annotation.Unlimited;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.testkit.FakeRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ManagedAsync;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Woven methods under one limit for the whole application. */
class ApplicationTest extends WovenTest {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Methods methods = new Methods();
  private HttpServer server;

  /** Resources that call woven methods. */
  @Path("/")
  public static class Caller {
    private final Methods methods = new Methods();

    @GET
    @Path("limited")
    public String limited() {
      return calls();
    }

    @GET
    @Path("managed")
    @ManagedAsync
    public String managed() {
      return calls();
    }

    @GET
    @Path("exempt")
    @Unlimited
    public String exempt() {
      return calls();
    }

    private String calls() {
      methods.generous();
      methods.generous();
      methods.generousToo();
      return "called";
    }
  }

  @Override
  WeirBuilder configure(WeirBuilder builder) {
    return super.configure(builder)
        .settings(Map.of("weir.application.limit", "3", "weir.application.window", "1m"));
  }

  @BeforeEach
  void start() {
    ResourceConfig config = new ResourceConfig(Caller.class).register(new RateLimitFeature(weir));
    server = GrizzlyHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), config);
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"limited", "managed", "exempt"})
  void aRequestIsChargedOnceWhateverItCalls(String path) throws Exception {
    for (int i = 0; i < 3; i++) {
      assertEquals("called", get(path).body());
    }
    HttpResponse<String> refused = get(path);
    assertEquals(429, refused.statusCode());
    assertEquals(true, refused.body().contains("\"application\""), refused.body());
  }

  @Test
  void outsideOfARequestEachCallIsChargedByItself() {
    methods.generous();
    methods.generousToo();
    methods.generous();
    assertEquals("application", assertRefused(methods::generous).policy().name());
  }

  @Test
  void withinARequestOfWhateverKindThereIsOneCharge() {
    for (int i = 0; i < 3; i++) {
      bind(FakeRequest.from("192.0.2.1"));
      methods.generous();
      methods.generousToo();
    }
    bind(FakeRequest.from("192.0.2.1"));
    assertEquals("application", assertRefused(methods::generous).policy().name());
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    int port = server.getListeners().iterator().next().getPort();
    URI uri = URI.create("http://127.0.0.1:" + port + "/" + path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }
}
