package io.weir.compat.stacks.quarkus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.vertx.ext.web.RoutingContext;
import io.weir.Weir;
import io.weir.adapter.LimitedRequest;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * An application with RESTEasy Classic and no limits does nothing for a request, until settings
 * bring some.
 */
class ClassicIdleTest {
  private static final Map<String, String> LIMIT =
      Map.of(
          "weir.policy.idle.url", "/rest/plain",
          "weir.policy.idle.limit", "1",
          "weir.policy.idle.window", "60");

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClasses(Plain.class))
          .overrideConfigKey("quarkus.resteasy.path", "/rest");

  /** Tells whether its request has begun. */
  @Path("/plain")
  public static class Plain {
    @Inject RoutingContext routing;

    @GET
    public boolean isBegun() {
      return routing.get(LimitedRequest.ATTRIBUTE) != null;
    }
  }

  @TestHTTPResource("/rest/plain")
  URI plain;

  @Inject Weir weir;

  @Test
  void beginsNoRequestUntilSettingsLimitOne() throws Exception {
    assertEquals("false", get().body());
    try {
      LIMIT.forEach(System::setProperty);
      weir.refresh();
      HttpResponse<String> first = get();
      assertEquals("200 true", first.statusCode() + " " + first.body());
      assertEquals(429, get().statusCode());
    } finally {
      LIMIT.keySet().forEach(System::clearProperty);
    }
    weir.refresh();
    assertEquals("false", get().body());
  }

  private HttpResponse<String> get() throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(plain).build(), HttpResponse.BodyHandlers.ofString());
  }
}
