package io.weir.example.jersey;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.time.temporal.ChronoUnit;

/** Two limits: by address, before {@link SignInFilter}, and by user, after it. */
@Path("/api/profile")
@Produces(MediaType.APPLICATION_JSON)
public class ProfileResource {
  @GET
  @RequiresSignIn
  @RateLimit(limit = 20, window = 1, unit = ChronoUnit.MINUTES, by = By.USER, name = "profile-user")
  @RateLimit(limit = 60, window = 1, unit = ChronoUnit.MINUTES, by = By.IP, name = "profile-ip")
  public String profile() {
    return JsonAnswers.from("profile");
  }
}
