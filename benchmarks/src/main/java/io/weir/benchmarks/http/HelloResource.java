package io.weir.benchmarks.http;

import io.weir.annotation.RateLimit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.time.temporal.ChronoUnit;

/** Answers as little as a resource can; limited, but so that nobody is refused. */
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
}
