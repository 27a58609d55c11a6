package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.seeds.DeepOnly;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Resources are found below their own path only. */
@DeepOnly
class RestPathTest {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClasses(Page.class, Client.class))
          .overrideConfigKey("quarkus.rest.path", "/api");

  /** Limited. */
  @Path("/page")
  public static class Page {
    @GET
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "page")
    public String read() {
      return "page";
    }
  }

  @TestHTTPResource URI base;

  @Test
  void countsNoRequestBesideThePathOfTheResources() throws Exception {
    Client client = new Client(base);
    for (String each : List.of("/page", "/apipage", "/api-1/page")) {
      assertEquals(404, client.status(each), each);
    }
    assertEquals(200, client.status("/api/page"));
    assertEquals(429, client.status("/api/page"));
  }
}
