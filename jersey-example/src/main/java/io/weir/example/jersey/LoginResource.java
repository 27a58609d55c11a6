package io.weir.example.jersey;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** Signs in by a form or by JSON. Both share the limits of {@link LimitedLogin}. */
@Path("/api/login")
@Produces(MediaType.APPLICATION_JSON)
public class LoginResource {
  private static final JsonMapper JSON = new JsonMapper();

  @POST
  @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
  @LimitedLogin
  public Response byForm(
      @FormParam("user") @Nullable String user, @FormParam("password") @Nullable String password) {
    return answer(user, password);
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @LimitedLogin
  public Response byJson(String body) {
    try {
      JsonNode login = JSON.readTree(body);
      return answer(login.path("user").asText(), login.path("password").asText());
    } catch (JsonProcessingException malformed) {
      throw JsonAnswers.badRequest("the body must be JSON");
    }
  }

  private static Response answer(@Nullable String user, @Nullable String password) {
    boolean isRight = Passwords.isRight(user, password);
    return Response.status(isRight ? Response.Status.OK : Response.Status.UNAUTHORIZED)
        .entity(JsonAnswers.from("login"))
        .build();
  }
}
