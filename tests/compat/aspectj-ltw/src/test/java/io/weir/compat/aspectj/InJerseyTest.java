package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.jaxrs.RateLimitFeature;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A resource that the feature limits and the aspect is woven into. */
class InJerseyTest extends WovenTest {
  // If a client offers an upgrade to HTTP/2, Grizzly loses the content type of every response.
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private HttpServer server;

  @BeforeEach
  void start() {
    ResourceConfig config = new ResourceConfig(Counter.class).register(new RateLimitFeature(weir));
    server = GrizzlyHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), config);
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
  }

  @Test
  void theEndpointsFirstRunIsChargedOnce() throws Exception {
    assertEquals(200, get("once").statusCode());
    assertEquals(200, get("once").statusCode());
    assertEquals(429, get("once").statusCode());
  }

  @Test
  void soItIsInAThreadThatJerseyManages() throws Exception {
    assertEquals("managed", get("managed").body());
    assertEquals("managed", get("managed").body());
    assertEquals(429, get("managed").statusCode());
  }

  @Test
  void itsSecondRunInTheSameRequestIsChargedToo() throws Exception {
    assertEquals("again", get("again?more=1").body());
    assertEquals(429, get("again?more=0").statusCode());
  }

  @Test
  void aRefusalInsideIsTheSameResponse() throws Exception {
    HttpResponse<String> refused = get("again?more=2");
    assertEquals(429, refused.statusCode());
    assertEquals("application/problem+json", refused.headers().firstValue("Content-Type").get());
    assertTrue(refused.headers().firstValue("Retry-After").isPresent());
    assertTrue(refused.body().contains("\"Counter.again\""), refused.body());
  }

  @Test
  void aRefusalThatAStageEndsWithIsTheSameResponse() throws Exception {
    assertEquals(200, get("stage").statusCode());
    assertEquals(200, get("stage").statusCode());
    assertEquals(429, get("stage").statusCode());
  }

  @Test
  void aRefusalWrappedIsTheSameResponse() throws Exception {
    assertEquals(200, get("wrapped").statusCode());
    assertEquals(200, get("wrapped").statusCode());
    assertEquals(429, get("wrapped").statusCode());
  }

  @Test
  void aParameterThatIsTooLongIsABadRequest() throws Exception {
    HttpResponse<String> bad = get("sms?digits=8193");
    assertEquals(400, bad.statusCode());
    assertTrue(bad.body().contains("parameter phone"), bad.body());
  }

  @Test
  void aClassLimitIsForEndpointsNotForTheirHelpers() throws Exception {
    assertEquals("hhh", get("shared").body());
    assertEquals("hhh", get("shared").body());
    assertEquals(429, get("shared").statusCode());
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    int port = server.getListeners().iterator().next().getPort();
    URI uri = URI.create("http://127.0.0.1:" + port + "/" + path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }
}
