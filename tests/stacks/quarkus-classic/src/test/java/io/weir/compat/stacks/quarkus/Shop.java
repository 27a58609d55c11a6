package io.weir.compat.stacks.quarkus;

import io.quarkus.security.Authenticated;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Resources of RESTEasy Classic. */
@Path("/shop")
public class Shop {
  /** Has RESTEasy look for features as services. */
  @ApplicationPath("/api")
  public static class Api extends Application {}

  /** A bean with a limit, whoever calls it. */
  @Singleton
  public static class Mailer {
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "mail")
    public String send() {
      return "sent";
    }
  }

  @Inject Mailer mailer;

  @GET
  @Path("plain")
  @RateLimit(limit = 1, window = 60, by = By.IP, name = "plain")
  public String plain() {
    return "plain";
  }

  @GET
  @Path("items/{id: [a-z]+}")
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "path:id", name = "items")
  public String item(@PathParam("id") String id) {
    return id;
  }

  @GET
  @Path("kinds")
  @Produces(MediaType.TEXT_PLAIN)
  @RateLimit(limit = 1, window = 60, by = By.IP, name = "text")
  public String text() {
    return "text";
  }

  @GET
  @Path("kinds")
  @Produces(MediaType.APPLICATION_XML)
  @RateLimit(limit = 2, window = 60, by = By.IP, name = "xml")
  public String xml() {
    return "<xml/>";
  }

  /** Limited by settings. */
  @GET
  @Path("tables/{table}")
  public String table(@PathParam("table") String table) {
    return table;
  }

  @Path("parts")
  public Parts parts() {
    return new Parts();
  }

  /** A sub-resource. */
  public static class Parts {
    @GET
    @Path("{id}")
    @RateLimit(limit = 1, window = 60, by = By.IP, name = "parts")
    public String part(@PathParam("id") String id) {
      return id;
    }
  }

  @GET
  @Path("tenant")
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "header:X-Tenant", name = "tenant")
  public String tenant(@HeaderParam("X-Tenant") String tenant) {
    return tenant;
  }

  @POST
  @Path("form")
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "form:tenant", name = "form")
  public String form(@FormParam("tenant") String tenant) {
    return tenant;
  }

  @POST
  @Path("json")
  @Consumes(MediaType.APPLICATION_JSON)
  @RateLimit(limit = 1, window = 60, by = By.KEY, key = "json:/tenant", name = "json")
  public String json(String body) {
    return body;
  }

  @POST
  @Path("cost")
  @Consumes(MediaType.APPLICATION_JSON)
  @RateLimit(limit = 3, window = 60, by = By.USER, costFrom = "json:/amount", name = "cost")
  public String cost(String body) {
    return body;
  }

  /** Breaks off after the head. */
  @GET
  @Path("broken")
  @RateLimit(limit = 1, window = 60, by = By.IP, count = Count.SUCCESSES, name = "broken")
  public StreamingOutput broken() {
    return out -> {
      out.write("x".repeat(20_000).getBytes(StandardCharsets.UTF_8));
      out.flush();
      throw new IllegalStateException("on purpose");
    };
  }

  @GET
  @Path("mail")
  public String mail() {
    return mailer.send();
  }

  @GET
  @Path("login")
  @Authenticated
  @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "login")
  public String login() {
    return "welcome";
  }

  @GET
  @Path("mine")
  @RateLimit(limit = 1, window = 60, by = By.USER, name = "mine")
  public String mine() {
    return "mine";
  }

  /** Tells whether Weir has found itself as a service. */
  @GET
  @Path("twice")
  public boolean isLimitedTwice(@Context Configuration configuration) {
    return configuration.getProperty("io.weir.jaxrs.JaxrsApplication") != null;
  }

  /** Puts the tenant that {@code X-Rewrite} names in the place of the one that was sent. */
  @Provider
  @PreMatching
  public static class Rewriting implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext context) {
      @Nullable String tenant = context.getHeaderString("X-Rewrite");
      if (tenant != null) {
        context.getHeaders().putSingle("X-Tenant", tenant);
        if (context.getMethod().equals("POST")) {
          context.setEntityStream(
              new ByteArrayInputStream(body(tenant).getBytes(StandardCharsets.UTF_8)));
        }
      }
    }
  }

  static String body(String tenant) {
    return "{\"tenant\":\"" + tenant + "\"}";
  }
}
