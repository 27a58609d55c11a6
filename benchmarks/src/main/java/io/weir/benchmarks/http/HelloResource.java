package io.weir.benchmarks.http;

import io.weir.annotation.RateLimit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.time.temporal.ChronoUnit;

/** Answers as little as a resource can; limited, but so that no request is refused. */
@Path(Hello.PATH)
public final class HelloResource {
  /** For Jersey. */
  public HelloResource() {}

  /** The answer. */
  @GET
  @Produces("text/plain")
  @RateLimit(limit = Hello.MORE_THAN_ASKED, window = 1, unit = ChronoUnit.MINUTES)
  public String hello() {
    return Hello.TEXT;
  }

  /** The same, limited so that everybody but the first is refused. */
  @Path(Hello.REFUSED_PATH)
  public static final class Refused {
    /** For Jersey. */
    public Refused() {}

    /** The answer. */
    @GET
    @Produces("text/plain")
    @RateLimit(limit = 1, window = 1, unit = ChronoUnit.DAYS)
    public String hello() {
      return Hello.TEXT;
    }
  }

  /** The same at the root of its application. */
  @Path("/")
  public static final class Root {
    /** For Jersey. */
    public Root() {}

    /** The answer. */
    @GET
    @Produces("text/plain")
    @RateLimit(limit = Hello.MORE_THAN_ASKED, window = 1, unit = ChronoUnit.MINUTES)
    public String hello() {
      return Hello.TEXT;
    }
  }

  /** The same without an annotation. */
  @Path("/")
  public static final class Free {
    /** For Jersey. */
    public Free() {}

    /** The answer. */
    @GET
    @Produces("text/plain")
    public String hello() {
      return Hello.TEXT;
    }
  }
}
