package io.weir.compat.servlet;

import static io.weir.compat.servlet.ServletBodyContract.JSON;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.bodies.UnreadBody;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletRegistration;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests refusals by JAX-RS in a servlet container, before the body of the request has come. */
public interface JaxrsBodyContract extends ServletServer {
  /**
   * Makes the servlet that runs JAX-RS.
   *
   * @param instances resources and features
   * @return a servlet that isn't started yet
   */
  Servlet jaxrs(Set<Object> instances);

  /** Takes long bodies, of which a policy reads one. */
  @Path("/")
  final class Uploads {
    Uploads() {}

    /**
     * Takes a body.
     *
     * @return the same
     */
    @POST
    @Path("upload")
    @RateLimit(limit = 1, window = 60, name = "upload")
    public String upload(String body) {
      return body;
    }

    /**
     * Takes a body that is counted by.
     *
     * @return the same
     */
    @POST
    @Path("counted")
    @RateLimit(limit = 1, window = 60, by = By.KEY, key = "json:/user", name = "counted")
    public String counted(String body) {
      return body;
    }
  }

  @Test
  default void noConnectionIsClosedUnannouncedAfterARefusal() throws Exception {
    ServletAppBuilder builder =
        ServletApp.on(this)
            .filters(
                (context, weir) -> {
                  ServletRegistration.Dynamic jaxrs =
                      context.addServlet(
                          "jaxrs", jaxrs(Set.of(new Uploads(), new RateLimitFeature(weir))));
                  jaxrs.addMapping("/*");
                  jaxrs.setAsyncSupported(true);
                });
    try (ServletApp app = builder.start()) {
      String type = "Content-Type: " + JSON;
      for (UnreadBody each : UnreadBody.values()) {
        assertEquals(413, each.post(app.port(), CONTEXT + "/counted", type), each.name());
      }
      assertEquals(200, app.post("/upload", JSON, "{}").status());
      for (UnreadBody each : UnreadBody.values()) {
        assertEquals(429, each.post(app.port(), CONTEXT + "/upload", type), each.name());
      }
    }
  }
}
