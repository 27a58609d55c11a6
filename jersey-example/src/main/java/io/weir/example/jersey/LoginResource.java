package io.weir.example.jersey;

import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts failures only, so a user who knows the password never notices the limit. It stops
 * guessing: once the failures are used up, even the right password is refused.
 */
@Path("/api/login")
@Produces(MediaType.APPLICATION_JSON)
public class LoginResource {
  @POST
  @RateLimit(
      limit = 5,
      window = 1,
      unit = ChronoUnit.MINUTES,
      by = {By.KEY, By.IP},
      key = "query:user",
      count = Count.FAILURES,
      name = "login-user")
  @RateLimit(
      limit = 20,
      window = 1,
      unit = ChronoUnit.MINUTES,
      count = Count.FAILURES,
      name = "login-ip")
  public Response login(
      @QueryParam("user") @Nullable String user,
      @QueryParam("password") @Nullable String password) {
    boolean right = user != null && user.equals(password);
    return Response.status(right ? Response.Status.OK : Response.Status.UNAUTHORIZED)
        .entity(JsonAnswers.from("login"))
        .build();
  }
}
