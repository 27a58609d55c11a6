package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.response.Response;
import io.weir.annotation.Algorithm;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Fields;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the annotation's members for limits and windows. */
interface WindowTests extends Serving {
  @Path("/")
  class Windows {
    @GET
    @Path("limit")
    @RateLimit(limit = 7, window = 60)
    public String limit() {
      return "";
    }

    @GET
    @Path("window")
    @RateLimit(limit = 1, window = 7, algorithm = Algorithm.SLIDING_LOG)
    public String window() {
      return "";
    }

    @GET
    @Path("unit")
    @RateLimit(limit = 1, window = 2, unit = ChronoUnit.MINUTES, algorithm = Algorithm.SLIDING_LOG)
    public String unit() {
      return "";
    }

    @GET
    @Path("cost")
    @RateLimit(limit = 20, window = 60, cost = 5)
    public String cost() {
      return "";
    }

    @GET
    @Path("name")
    @RateLimit(limit = 20, window = 60, name = "chosen")
    public String name() {
      return "";
    }
  }

  @Path("/")
  class Algorithms {
    @GET
    @Path("fixed")
    @RateLimit(limit = 2, window = 10, algorithm = Algorithm.FIXED_WINDOW)
    public String fixed() {
      return "";
    }

    @GET
    @Path("sliding")
    @RateLimit(limit = 2, window = 10)
    public String sliding() {
      return "";
    }

    @GET
    @Path("log")
    @RateLimit(limit = 1, window = 10, algorithm = Algorithm.SLIDING_LOG)
    public String log() {
      return "";
    }

    @GET
    @Path("token")
    @RateLimit(limit = 15, window = 15, algorithm = Algorithm.TOKEN_BUCKET)
    public String token() {
      return "";
    }

    @GET
    @Path("token-burst")
    @RateLimit(limit = 60, window = 60, algorithm = Algorithm.TOKEN_BUCKET, burst = 5)
    public String tokenBurst() {
      return "";
    }

    @GET
    @Path("leaky")
    @RateLimit(limit = 60, window = 60, algorithm = Algorithm.LEAKY_BUCKET)
    public String leaky() {
      return "";
    }

    @GET
    @Path("leaky-burst")
    @RateLimit(limit = 60, window = 60, algorithm = Algorithm.LEAKY_BUCKET, burst = 3)
    public String leakyBurst() {
      return "";
    }
  }

  @Test
  default void admitsAsManyAsTheLimit() throws Exception {
    assertEquals(7, serving(Windows.class).start().admitted("/limit"));
  }

  @Test
  default void refusesUntilTheWindowIsOver() throws Exception {
    Api api = serving(Windows.class).start();
    assertEquals(1, api.admitted("/window"));
    Response refused = api.get("/window");
    assertEquals("7", refused.header("Retry-After"));
    api.pass(Duration.ofMillis(6_900));
    assertEquals(429, api.get("/window").statusCode());
    api.pass(Duration.ofMillis(100));
    assertEquals(200, api.get("/window").statusCode());
  }

  @Test
  default void measuresTheWindowInItsUnit() throws Exception {
    Api api = serving(Windows.class).start();
    assertEquals(1, api.admitted("/unit"));
    api.pass(Duration.ofSeconds(119));
    assertEquals("1", api.get("/unit").header("Retry-After"));
    api.pass(Duration.ofSeconds(1));
    assertEquals(200, api.get("/unit").statusCode());
  }

  @Test
  default void takesWhatARequestCosts() throws Exception {
    Api api = serving(Windows.class).start();
    assertEquals(15, Api.left(api.get("/cost")));
    assertEquals(3, api.admitted("/cost"));
  }

  @Test
  default void namesThePolicyAsChosenOrAfterTheMethod() throws Exception {
    Api api = serving(Windows.class).start();
    assertEquals(List.of("chosen"), Fields.names(api.get("/name").header("RateLimit-Policy")));
    assertEquals(
        List.of("Windows.limit"), Fields.names(api.get("/limit").header("RateLimit-Policy")));
  }

  @Test
  default void fixedWindowBeginsAnewAtItsEdge() throws Exception {
    Api api = serving(Algorithms.class).start();
    api.pass(Duration.ofSeconds(9));
    assertEquals(2, api.admitted("/fixed"));
    assertEquals("1", api.get("/fixed").header("Retry-After"));
    api.pass(Duration.ofSeconds(1));
    assertEquals(2, api.admitted("/fixed"));
  }

  @Test
  default void slidingWindowKnowsNoEdge() throws Exception {
    Api api = serving(Algorithms.class).start();
    api.pass(Duration.ofSeconds(9));
    assertEquals(2, api.admitted("/sliding"));
    api.pass(Duration.ofSeconds(1));
    assertEquals(0, api.admitted("/sliding"));
  }

  /** A window of counters would make the caller wait for the end of a counter's slot. */
  @Test
  default void slidingLogIsExactToTheTick() throws Exception {
    Api api = serving(Algorithms.class).start();
    api.pass(Duration.ofNanos(1_000));
    assertEquals(1, api.admitted("/log"));
    api.pass(Duration.ofSeconds(10).minusNanos(1_000));
    assertEquals(0, api.admitted("/log"));
    api.pass(Duration.ofNanos(1_000));
    assertEquals(1, api.admitted("/log"));
  }

  @Test
  default void tokenBucketIsFullAtFirstAndRefillsEvenly() throws Exception {
    Api api = serving(Algorithms.class).start();
    assertEquals(15, api.admitted("/token"));
    api.pass(Duration.ofSeconds(3));
    assertEquals(3, api.admitted("/token"));
  }

  @Test
  default void tokenBucketHoldsItsBurst() throws Exception {
    Api api = serving(Algorithms.class).start();
    assertEquals(5, api.admitted("/token-burst"));
    assertEquals("1", api.get("/token-burst").header("Retry-After"));
    api.pass(Duration.ofSeconds(2));
    assertEquals(2, api.admitted("/token-burst"));
  }

  @Test
  default void leakyBucketSpacesRequestsEvenly() throws Exception {
    Api api = serving(Algorithms.class).start();
    assertEquals(1, api.admitted("/leaky"));
    api.pass(Duration.ofSeconds(5));
    assertEquals(1, api.admitted("/leaky"));
  }

  @Test
  default void leakyBucketLetsABurstComeTogether() throws Exception {
    Api api = serving(Algorithms.class).start();
    assertEquals(3, api.admitted("/leaky-burst"));
    api.pass(Duration.ofSeconds(1));
    assertEquals(1, api.admitted("/leaky-burst"));
  }
}
