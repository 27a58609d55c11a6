package io.weir.benchmarks.http;

import io.weir.annotation.RateLimit;
import io.weir.annotation.Unit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** Answers as little as a resource can; limited, but so that nobody is refused. */
@Path(Hello.PATH)
public final class HelloResource {
  /** For Jersey. */
  public HelloResource() {}

  /** The answer. */
  @GET
  @Produces("text/plain")
  @RateLimit(limit = Hello.MORE_THAN_ASKED, window = 1, unit = Unit.MINUTES)
  public String hello() {
    return Hello.TEXT;
  }
}
