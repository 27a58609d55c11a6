package io.weir.compat.jaxrs;

import static io.weir.annotation.By.USER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.restassured.response.Response;
import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Fields;
import io.weir.compat.jaxrs.server.SignIn;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Policies that need no user are decided before anybody signs in, the others after it. */
interface PhaseTests extends Serving {
  @Path("/")
  class Phases {
    @GET
    @Path("profile")
    @RateLimit(limit = 2, window = 60, by = USER, name = "user")
    @RateLimit(limit = 5, window = 60, name = "address")
    public String profile() {
      return "";
    }

    @GET
    @Path("private")
    @RateLimit(limit = 2, window = 60, by = USER)
    public String onlyUsers() {
      return "";
    }
  }

  private Api phases(Class<?> signIn) throws Exception {
    return serving(Phases.class, signIn).start();
  }

  @Test
  default void aFailedSignInIsChargedToTheAddressOnly() throws Exception {
    Api api = phases(SignIn.class);
    Response failed = api.get("/profile", "User", "nobody");
    assertEquals(401, failed.statusCode());
    assertEquals(List.of("address"), Fields.names(failed.header("RateLimit-Policy")));
    assertEquals(4, Api.left(failed));
    assertEquals(2, api.admitted("/profile", "User", "alice"));
  }

  @Test
  default void noSignInIsTriedBeyondTheLimitOfTheAddress() throws Exception {
    Api api = phases(SignIn.class);
    for (int i = 0; i < 5; i++) {
      assertEquals(401, api.get("/profile", "User", "nobody").statusCode());
    }
    assertEquals(429, api.get("/profile", "User", "nobody").statusCode());
  }

  @Test
  default void aRefusalAfterSignInGivesTheRestBack() throws Exception {
    Api api = phases(SignIn.class);
    assertEquals(2, api.admitted("/profile", "User", "alice"));
    for (int i = 0; i < 9; i++) {
      Response refused = api.get("/profile", "User", "alice");
      assertEquals(429, refused.statusCode());
      assertEquals(List.of("user"), refused.jsonPath().getList("violated-policies"));
    }
    assertEquals(2, api.admitted("/profile", "User", "bob"));
    assertEquals(1, api.admitted("/profile", "User", "carol"));
  }

  @Test
  default void showsTheLimitsOfBothPhases() throws Exception {
    Response response = phases(SignIn.class).get("/profile", "User", "alice");
    assertEquals(List.of("address", "user"), Fields.names(response.header("RateLimit-Policy")));
    assertEquals(List.of("user"), Fields.names(response.header("RateLimit")));
  }

  @Test
  default void whereOnlyUsersCountAFailedSignInShowsNothing() throws Exception {
    Api api = phases(SignIn.class);
    assertNull(api.get("/private", "User", "nobody").header("RateLimit"));
    assertEquals(2, api.admitted("/private", "User", "alice"));
  }

  /** The endpoint isn't known when such a filter refuses, so nothing is counted either. */
  @Test
  default void usersWhoSignedInBeforeMatchingCountToo() throws Exception {
    Api api = phases(SignIn.Early.class);
    assertEquals(2, api.admitted("/profile", "User", "alice"));
    assertEquals(2, api.admitted("/profile", "User", "bob"));
    Response refused = api.get("/profile", "User", "nobody");
    assertEquals(401, refused.statusCode());
    assertNull(refused.header("RateLimit"));
    assertEquals(1, api.admitted("/profile", "User", "carol"));
  }
}
