package io.weir.compat.rules;

import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.compat.jaxrs.server.Server;
import io.weir.compat.jaxrs.server.SignInFilter;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Response;
import java.util.Set;

/** Tests rules for resources; a subclass chooses the server. */
public abstract class JaxrsRuleSuite extends HttpRuleSuite {
  /** Resources that are limited by rules, and by annotations too. */
  @Path("api")
  public static class Resources {
    /** The pattern {@code /api/*} matches it. */
    @GET
    public String root() {
      return "";
    }

    /** Reads all. */
    @GET
    @Path("posts")
    public String posts() {
      return "";
    }

    /** Writes one, or answers with another status. */
    @POST
    @Path("posts")
    public Response write(@QueryParam("status") @DefaultValue("200") int status) {
      return Response.status(status).entity("").build();
    }

    /** Answers with the body of the request. */
    @POST
    @Path("echo")
    public String echo(String body) {
      return body;
    }

    /** Deletes all. */
    @DELETE
    @Path("posts")
    public String delete() {
      return "";
    }

    /** Reads one. */
    @GET
    @Path("posts/{number: [0-9]+}")
    public String post() {
      return "";
    }

    /** Has no variable. */
    @GET
    @Path("posts/latest")
    public String latest() {
      return "";
    }

    /** Below a variable. */
    @GET
    @Path("posts/{number: [0-9]+}/likes")
    public String likes() {
      return "";
    }

    /** By user. */
    @GET
    @Path("search")
    @RateLimit(
        limit = 5,
        window = 60,
        by = By.USER,
        tiers = @Tier(name = "silver", limit = 15),
        name = "search")
    public String search() {
      return "";
    }

    /** By address, before the sign-in. */
    @GET
    @Path("login")
    @RateLimit(limit = 5, window = 60, name = "login")
    public String login() {
      return "";
    }

    /** Two permits each. */
    @GET
    @Path("dear")
    @RateLimit(limit = 10, window = 60, cost = 2, name = "dear")
    public String dear() {
      return "";
    }
  }

  /** A resource that no pattern of {@code /api/*} matches. */
  @Path("other")
  public static class Other {
    /** Answers. */
    @GET
    public String get() {
      return "";
    }
  }

  /**
   * Starts a server on an ephemeral port of loopback.
   *
   * @param classes resources and providers
   * @param instances instances of resources and providers
   * @return the running server
   * @throws Exception if the application is refused
   */
  protected abstract Server start(Set<Class<?>> classes, Set<Object> instances) throws Exception;

  @Override
  final RuleApp.Serving start(Weir weir) throws Exception {
    Server server =
        start(
            Set.of(Resources.class, Other.class, SignInFilter.class),
            Set.of(new RateLimitFeature(weir)));
    return new RuleApp.Serving(server.base(), server.stop());
  }

  @Override
  public final boolean hasTemplates() {
    return true;
  }
}
