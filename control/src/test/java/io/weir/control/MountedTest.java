package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.control.ControlApp.Reply;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.rules.RuleRepository;
import io.weir.rules.Rules;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.MessageBodyWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.message.GZipEncoder;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.filter.EncodingFilter;
import org.junit.jupiter.api.Test;

/**
 * The API runs in a Jersey application that has limits of its own, a JSON provider that claims
 * every type, and an error page for every exception. Neither disturbs the other.
 */
class MountedTest {
  private static Server start(io.weir.Weir weir, Rules rules) {
    return start(weir, rules, new ResourceConfig(Shop.class));
  }

  private static Server start(io.weir.Weir weir, Rules rules, ResourceConfig shop) {
    ResourceConfig application =
        shop.register(new RateLimitFeature(weir))
            .register(new TestSignIn())
            .register(new OwnJson())
            .register(new OwnErrorPage())
            .register(new OwnStatusPage())
            .register(new ControlFeature(weir, rules));
    HttpServer server =
        GrizzlyHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), application);
    int port = server.getListener("grizzly").getPort();
    return new Server(URI.create("http://127.0.0.1:" + port), server::shutdownNow);
  }

  private static ControlApp app() {
    return new ControlApp(Map.of(), MountedTest::start);
  }

  @Test
  void theApplicationsOwnJsonAndErrorsStayAsTheyAre() {
    try (ControlApp app = app()) {
      Reply order = app.send(app.request("/v1/orders", "alice/"), "POST", "{\"of\": \"tea\"}");
      assertEquals("own:read:{\"of\": \"tea\"}", order.response().body());
      assertEquals("own page 404", app.get("/nowhere", "").response().body());
      assertEquals("own page 404", app.get("/v1/nowhere", "").response().body());
      Reply broken = app.get("/v1/orders/broken", "alice/");
      assertEquals("own page for a failure", broken.response().body());
      assertEquals("", broken.header("Cache-Control"));
    }
  }

  @Test
  void theApiSpeaksItsOwnJsonAndProblems() {
    try (ControlApp app = app()) {
      assertEquals(200, app.check(DecideTests.ALICE).status());
      assertProblem(400, app.check("{}"), "must be given, or else apiKey or ip");
      assertProblem(400, app.check("{"), "");
      assertProblem(413, app.check(" ".repeat(70_000)), "");
      assertProblem(401, app.get("/v1/openapi.json", ""), "");
      assertProblem(404, app.get("/v1/ratelimit/nothing", "root/weir-admin"), "");
      assertProblem(405, app.get("/v1/ratelimit/explain", "root/weir-admin"), "");
    }
  }

  @Test
  void theConsoleIsAsItIs() {
    try (ControlApp app = app()) {
      Reply page = app.get("/v1/console/", "");
      assertEquals(200, page.status());
      assertTrue(page.response().body().startsWith("<!doctype html>"), page.response()::body);
      assertProblem(404, app.get("/v1/console/nothing.js", ""), "");
      assertEquals(app.address() + "/v1/console/", app.get("/v1/console", "").header("Location"));
    }
  }

  @Test
  void aPageForSigningInThatIsNoneStopsTheStart() {
    String script = "javascript:alert(1)";
    Throwable refused =
        assertThrows(
            RuntimeException.class,
            () -> new ControlApp(Map.of("weir.control.sign-in", script), MountedTest::start));
    while (refused.getCause() != null) {
      refused = refused.getCause();
    }
    assertTrue(String.valueOf(refused.getMessage()).contains("weir.control.sign-in"));
  }

  @Test
  void anApplicationThatCompressesDoesNotCompressTwice() throws Exception {
    ResourceConfig compressing = new ResourceConfig(Shop.class);
    EncodingFilter.enableFor(compressing, GZipEncoder.class);
    try (ControlApp app =
        new ControlApp(Map.of(), (weir, rules) -> start(weir, rules, compressing))) {
      String plain = app.get("/v1/console/", "").response().body();
      HttpResponse<InputStream> page =
          ControlApp.CLIENT.send(
              app.request("/v1/console/", "").header("Accept-Encoding", "gzip").build(),
              BodyHandlers.ofInputStream());
      assertEquals(List.of("gzip"), page.headers().allValues("Content-Encoding"));
      try (GZIPInputStream in = new GZIPInputStream(page.body())) {
        assertEquals(plain, new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
  }

  private static void assertProblem(int status, Reply reply, String rule) {
    assertEquals(status, reply.status());
    assertEquals("application/problem+json", reply.header("Content-Type"));
    assertEquals(status, reply.body().get("status").asInt());
    assertEquals(rule, reply.body().path("rule").asText());
  }

  @Test
  void anAnnotatedPolicyIsDecidedByNameAndSharesItsBucket() {
    try (ControlApp app = app()) {
      assertEquals(200, app.get("/shop", "alice/").status());
      String asked = "{\"userId\": \"alice\", \"endpoint\": \"policy:shop\"}";
      Reply checked = app.check(asked);
      assertEquals(1, checked.body().get("remaining").asLong(), checked.body()::toString);
      assertEquals(200, app.get("/shop", "alice/").status());
      assertEquals(429, app.get("/shop", "alice/").status());
      Reply explained = app.post("/v1/ratelimit/explain", asked);
      assertFalse(explained.body().at("/decision/allowed").asBoolean());
      assertEquals("shop", explained.body().at("/policies/0/name").asText());
      assertTrue(explained.body().at("/policies/0/holds").asBoolean());
      assertEquals("annotation", explained.body().at("/policies/0/source").asText());
    }
  }

  @Test
  void aRuleForEverythingDoesNotLockOutWhoIsToChangeIt() {
    try (ControlApp app = app()) {
      app.rule("*", "*", 1);
      assertEquals(200, app.get("/v1/orders/fine", "alice/").status());
      assertEquals(429, app.get("/v1/orders/fine", "alice/").status());
      for (int i = 0; i < 3; i++) {
        assertEquals(200, app.get("/v1/openapi.json", "alice/").status());
        assertEquals(200, app.get("/v1/ratelimit/status/bob", "root/weir-admin").status());
      }
    }
  }

  @Test
  void neitherDoesTheAccessList() {
    Map<String, String> all =
        Map.of("weir.access.deny", "127.0.0.1, user:root", "weir.rules.caller", "header:X-Key");
    try (ControlApp app = new ControlApp(all, MountedTest::start)) {
      Lockout.assertNone(app, "X-Key", () -> app.get("/v1/orders/fine", "alice/").status());
    }
  }

  @Test
  void aFailureOfOursTellsNothingOfTheInside() {
    try (ControlApp app = new ControlApp(Map.of(), (weir, rules) -> start(weir, failing(rules)))) {
      Reply reply = app.get("/v1/ratelimit/status/alice", "root/weir-admin");
      assertProblem(500, reply, "");
      assertFalse(reply.response().body().contains("secret"), reply.response()::body);
    }
  }

  private static Rules failing(Rules rules) {
    Object broken =
        proxy(
            RuleRepository.class,
            (proxy, method, arguments) -> {
              throw new IllegalStateException("jdbc:secret");
            });
    return (Rules)
        proxy(
            Rules.class,
            (proxy, method, arguments) ->
                method.getName().equals("rules") ? broken : method.invoke(rules, arguments));
  }

  private static Object proxy(Class<?> type, InvocationHandler handler) {
    return Proxy.newProxyInstance(
        MountedTest.class.getClassLoader(), new Class<?>[] {type}, handler);
  }

  /** The application's resource, which also has paths below the API's version. */
  @Path("/")
  public static class Shop {
    @GET
    @Path("shop")
    @RateLimit(name = "shop", limit = 3, window = 60, by = By.USER)
    public String shop() {
      return "open";
    }

    @POST
    @Path("v1/orders")
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    public StringBuilder order(StringBuilder body) {
      return body;
    }

    @GET
    @Path("v1/orders/fine")
    public String fine() {
      return "fine";
    }

    @GET
    @Path("v1/orders/broken")
    public String broken() {
      throw new IllegalStateException("broken");
    }
  }

  /** Claims to read and write every type. */
  public static class OwnJson implements MessageBodyReader<Object>, MessageBodyWriter<Object> {
    @Override
    public boolean isReadable(
        Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
      return true;
    }

    @Override
    public Object readFrom(
        Class<Object> type,
        Type generic,
        Annotation[] annotations,
        MediaType media,
        MultivaluedMap<String, String> headers,
        InputStream in)
        throws IOException {
      StringBuilder read = new StringBuilder("read:");
      read.append(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      return read;
    }

    @Override
    public boolean isWriteable(
        Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
      return true;
    }

    @Override
    public void writeTo(
        Object entity,
        Class<?> type,
        Type generic,
        Annotation[] annotations,
        MediaType media,
        MultivaluedMap<String, Object> headers,
        OutputStream out)
        throws IOException {
      String own = entity instanceof StringBuilder ? "own:" : "";
      out.write((own + entity).getBytes(StandardCharsets.UTF_8));
    }
  }

  /** The application's page for every exception. */
  public static class OwnErrorPage implements ExceptionMapper<RuntimeException> {
    @Override
    public Response toResponse(RuntimeException thrown) {
      return Response.serverError().type("text/plain").entity("own page for a failure").build();
    }
  }

  /** The application's page for a status. */
  public static class OwnStatusPage implements ExceptionMapper<WebApplicationException> {
    @Override
    public Response toResponse(WebApplicationException thrown) {
      int status = thrown.getResponse().getStatus();
      return Response.status(status).type("text/plain").entity("own page " + status).build();
    }
  }
}
