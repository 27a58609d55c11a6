package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.QuarkusUnitTest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.weir.seeds.DeepOnly;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Paths in settings are those within the application. */
@DeepOnly
class RootPathTest {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(jar -> jar.addClasses(Page.class, Client.class))
          .overrideConfigKey("quarkus.http.root-path", "/base")
          .overrideRuntimeConfigKey("weir.policy.pages.url", "/page")
          .overrideRuntimeConfigKey("weir.policy.pages.limit", "1")
          .overrideRuntimeConfigKey("weir.policy.pages.window", "1h");

  /** Limited by settings. */
  @Path("/page")
  public static class Page {
    @GET
    public String read() {
      return "page";
    }
  }

  @TestHTTPResource URI base;

  @Test
  void limitsAPathBelowTheRootPath() throws Exception {
    Client client = new Client(base);
    assertEquals(200, client.status("/base/page"));
    assertEquals(429, client.status("/base/page"));
  }
}
