package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.vertx.ext.web.RoutingContext;
import io.weir.Weir;
import io.weir.adapter.LimitedRequest;
import io.weir.seeds.DeepOnly;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application without limits does nothing for a request, until settings bring some. */
@DeepOnly
class IdleTest {
  private static final Map<String, String> LIMIT =
      Map.of(
          "weir.policy.idle.url", "/plain",
          "weir.policy.idle.limit", "1",
          "weir.policy.idle.window", "60");

  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest().withApplicationRoot(jar -> jar.addClasses(Plain.class, Client.class));

  /** Tells whether its request has begun. */
  @Path("/plain")
  public static class Plain {
    @Inject RoutingContext routing;

    @GET
    public boolean isBegun() {
      return routing.get(LimitedRequest.ATTRIBUTE) != null;
    }
  }

  @TestHTTPResource URI base;
  @Inject Weir weir;

  @Test
  void beginsNoRequestUntilSettingsLimitOne() throws Exception {
    Client client = new Client(base);
    assertEquals("false", client.get("/plain").body());
    try {
      LIMIT.forEach(System::setProperty);
      weir.refresh();
      HttpResponse<String> first = client.get("/plain");
      assertEquals("200 true", first.statusCode() + " " + first.body());
      assertEquals(429, client.status("/plain"));
    } finally {
      LIMIT.keySet().forEach(System::clearProperty);
    }
    weir.refresh();
    assertEquals("false", client.get("/plain").body());
  }
}
