package io.weir.compat.testing.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.jaxrs.RateLimitFeature;
import io.weir.spi.KeyResolver;
import io.weir.testkit.FakeRequest;
import io.weir.testkit.junit.WeirExtension;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Optional;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.test.JerseyTest;
import org.glassfish.jersey.test.TestProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TenantsTest extends JerseyTest {
  private static final KeyResolver TENANT =
      request -> request.headers("X-Account").stream().map(it -> it.split("/")[0]).findFirst();

  @RegisterExtension
  static final WeirExtension WEIR = new WeirExtension(weir -> weir.keyResolver("tenant", TENANT));

  @Path("orders")
  public static class Orders {
    @GET
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "tenant")
    public String list() {
      return "none";
    }
  }

  TenantsTest(Weir weir) {
    super(new ResourceConfig(Orders.class).register(new RateLimitFeature(weir)));
    forceSet(TestProperties.CONTAINER_PORT, "0"); // any free port
  }

  private int list(String account) {
    return target("orders").request().header("X-Account", account).get().getStatus();
  }

  @Test
  void readsTheTenantOfAnAccount() {
    FakeRequest request = FakeRequest.from("192.0.2.1").header("X-Account", "acme/alice");
    assertEquals(Optional.of("acme"), TENANT.resolve(request));
  }

  @Test
  void countsAllAccountsOfATenantTogether() {
    assertEquals(200, list("acme/alice"));
    assertEquals(429, list("acme/bob"));
    assertEquals(200, list("other/carol"));
  }
}
