package io.weir.compat.jersey31;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Decision;
import io.weir.InvalidPolicyException;
import io.weir.InvalidRequestException;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimitExceededException;
import io.weir.RateLimiter;
import io.weir.Weir;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.ResourceConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The parts that the feature registers, beside those of an application; without a server. */
class RegisteredPartsTest {
  private static final int OWN_ANSWER = 418;
  private static final String FORGED = "forged";

  private final Weir weir = Weir.builder().build();

  @AfterEach
  void close() {
    weir.close();
  }

  /** Has a limit, and calls methods that refuse. */
  @Path("/")
  public static final class Shop {
    @GET
    @Path("limited")
    @RateLimit(limit = 5, window = 60, by = By.ENDPOINT)
    public String limited() {
      return "ok";
    }

    @GET
    @Path("refused")
    public String refused() {
      Policy policy = Policy.builder("one").limit(1).window(Duration.ofMinutes(1)).build();
      try (RateLimiter limiter = RateLimiter.builder().build()) {
        Decision admitted = limiter.tryAcquire(policy, Key.of("a"));
        Decision refused = limiter.tryAcquire(policy, Key.of("a"));
        throw new RateLimitExceededException(admitted.admitted() ? refused : admitted);
      }
    }

    @GET
    @Path("invalid")
    public String invalid(@QueryParam("cost") @DefaultValue("many") String cost) {
      if (cost.equals("many")) {
        throw new InvalidRequestException("the cost isn't a number");
      }
      return cost;
    }
  }

  /** Has a mistake. */
  @Path("/")
  public static final class Wrong {
    @GET
    @RateLimit(limit = 0, window = 60, by = By.ENDPOINT)
    public String wrong() {
      return "";
    }
  }

  /** Adds fields of the same names, as a gateway's library may. */
  private static final class Forger implements ContainerResponseFilter {
    private final List<String> names;

    Forger(List<String> names) {
      this.names = names;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      names.forEach(each -> response.getHeaders().add(each, FORGED));
    }
  }

  private static ContainerResponse get(ResourceConfig application, String path) throws Exception {
    ContainerRequest request =
        new ContainerRequest(
            URI.create("http://localhost/"),
            URI.create("http://localhost/" + path),
            "GET",
            null,
            new MapPropertiesDelegate(new HashMap<>()),
            null);
    return new ApplicationHandler(application).apply(request).get();
  }

  private ResourceConfig application() {
    return new ResourceConfig(Shop.class).register(new RateLimitFeature(weir));
  }

  @Test
  void fieldsOfTheApplicationAreReplaced() throws Exception {
    Map<String, List<Object>> own = get(application(), "limited").getHeaders();
    List<String> names =
        own.keySet().stream()
            .filter(each -> each.toLowerCase(Locale.ROOT).contains("ratelimit"))
            .toList();
    assertFalse(names.isEmpty(), own::toString);
    ContainerResponse response = get(application().register(new Forger(names)), "limited");
    for (String each : names) {
      List<Object> values = response.getHeaders().get(each);
      assertEquals(1, values.size(), each);
      assertFalse(values.contains(FORGED), each);
    }
  }

  @Test
  void withoutAMapperOfTheApplicationRefusalsAre429AndMalformedRequests400() throws Exception {
    assertEquals(429, get(application(), "refused").getStatus());
    assertEquals(400, get(application(), "invalid").getStatus());
  }

  private static final class OwnRefusals implements ExceptionMapper<RateLimitExceededException> {
    @Override
    public Response toResponse(RateLimitExceededException refused) {
      return Response.status(OWN_ANSWER).build();
    }
  }

  private static final class OwnInvalid implements ExceptionMapper<InvalidRequestException> {
    @Override
    public Response toResponse(InvalidRequestException invalid) {
      return Response.status(OWN_ANSWER).build();
    }
  }

  @Test
  void mappersOfTheApplicationTakePrecedence() throws Exception {
    for (boolean isFirst : new boolean[] {true, false}) {
      ResourceConfig application = new ResourceConfig(Shop.class);
      if (isFirst) {
        application.register(new OwnRefusals()).register(new OwnInvalid());
      }
      application.register(new RateLimitFeature(weir));
      if (!isFirst) {
        application.register(new OwnRefusals()).register(new OwnInvalid());
      }
      assertEquals(OWN_ANSWER, get(application, "refused").getStatus());
      assertEquals(OWN_ANSWER, get(application, "invalid").getStatus());
    }
  }

  @Test
  void theWeirOfAnApplicationThatDoesNotStartIsClosed() throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader application = new URLClassLoader(new URL[0], before)) {
      thread.setContextClassLoader(application);
      Weir first = Weir.application();
      assertThrows(
          InvalidPolicyException.class,
          () ->
              new ApplicationHandler(
                      new ResourceConfig(Wrong.class).register(new RateLimitFeature()))
                  .getConfiguration());
      try (Weir next = Weir.application()) {
        assertNotSame(first, next);
      }
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
