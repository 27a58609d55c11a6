package io.weir.quarkus.deployment;

import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;
import org.jspecify.annotations.Nullable;

/** Resources whose requests a filter rewrites before they are matched. */
@Path("/desk")
public class Desk {
  @GET
  @Path("header")
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "header:X-Tenant", name = "desk-header")
  public String header(@RestHeader("X-Tenant") String tenant) {
    return tenant;
  }

  @GET
  @Path("query")
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "query:tenant", name = "desk-query")
  public String query(@RestQuery String tenant) {
    return tenant;
  }

  @POST
  @Path("body")
  @Blocking
  @Consumes(MediaType.APPLICATION_JSON)
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "json:/tenant", name = "desk-body")
  public String body(String body) {
    return body;
  }

  @POST
  @Path("body-uni")
  @Consumes(MediaType.APPLICATION_JSON)
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "json:/tenant", name = "desk-uni")
  public Uni<String> bodyLater(String body) {
    return Uni.createFrom().item(body);
  }

  /** Puts the tenant that {@code X-Rewrite} names in the place of the one that was sent. */
  @Provider
  @PreMatching
  public static class Rewriting implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext context) {
      if (context.getHeaderString("X-Touch") != null) {
        var unused = context.getEntityStream();
      }
      @Nullable String tenant = context.getHeaderString("X-Rewrite");
      if (tenant == null) {
        return;
      }
      context.getHeaders().putSingle("X-Tenant", tenant);
      context.setRequestUri(
          context.getUriInfo().getRequestUriBuilder().replaceQueryParam("tenant", tenant).build());
      if (context.getMethod().equals("POST")) {
        context.setEntityStream(
            new ByteArrayInputStream(json(tenant).getBytes(StandardCharsets.UTF_8)));
      }
    }
  }

  static String json(String tenant) {
    return "{\"tenant\":\"" + tenant + "\"}";
  }
}
