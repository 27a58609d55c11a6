package io.weir.compat.jaxrs;

import static io.weir.annotation.By.USER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import io.weir.annotation.RateLimit;
import io.weir.compat.UserlessCondition;
import io.weir.compat.jaxrs.server.Api;
import io.weir.compat.jaxrs.server.Fields;
import io.weir.compat.jaxrs.server.SignInFilter;
import jakarta.annotation.Priority;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.DynamicFeature;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests that policies without a user are decided before the sign-in, the others after it. */
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

  @Path("/")
  class Logins {
    @GET
    @Path("login")
    @RateLimit(limit = 3, window = 60, when = UserlessCondition.OF_PASSWORDS, name = "logins")
    public String login() {
      return "";
    }

    @GET
    @Path("account")
    @RateLimit(limit = 3, window = 60, when = UserlessCondition.OF_USERS, name = "accounts")
    public String account() {
      return "";
    }
  }

  private Api logins() throws Exception {
    return serving(Logins.class, SignInFilter.class)
        .weir(
            parts ->
                parts
                    .requestCondition(
                        UserlessCondition.OF_PASSWORDS, UserlessCondition.ofPasswords())
                    .requestCondition(UserlessCondition.OF_USERS, UserlessCondition.ofUsers()))
        .start();
  }

  private static List<Integer> statuses(Api api, int requests, String path, String user) {
    return IntStream.range(0, requests)
        .mapToObj(each -> api.get(path, "User", user).statusCode())
        .toList();
  }

  @Test
  default void wrongPasswordsCountWhereTheConditionNeedsNoUser() throws Exception {
    Api api = logins();
    assertEquals(List.of(401, 401, 401, 401), statuses(api, 4, "/login", "nobody"));
    assertEquals(
        List.of(401, 401, 401, 429, 429, 429, 429, 429),
        statuses(api, 8, "/login?password=guess", "nobody"));
    assertEquals(List.of(429), statuses(api, 1, "/login?password=secret", "alice"));
  }

  @Test
  default void aConditionThatReadsTheUserAllTheSameIsDecidedAfterTheSignIn() throws Exception {
    Api api = logins();
    assertEquals(List.of(401, 401, 401, 401), statuses(api, 4, "/account", "nobody"));
    assertEquals(List.of(200, 200, 200, 429), statuses(api, 4, "/account", "alice"));
  }

  /** Handles all admitted requests. */
  @Priority(Priorities.USER)
  final class Late implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext context) {}
  }

  private Api phases(Class<?> signIn) throws Exception {
    return serving(Phases.class, signIn).start();
  }

  @Test
  default void aFailedSignInIsChargedToTheAddressOnly() throws Exception {
    Api api = phases(SignInFilter.class);
    Response failed = api.get("/profile", "User", "nobody");
    assertEquals(401, failed.statusCode());
    assertEquals(List.of("address"), Fields.names(failed.header("RateLimit-Policy")));
    assertEquals(4, Api.left(failed));
    assertEquals(2, api.admitted("/profile", "User", "alice"));
  }

  @Test
  default void noSignInIsTriedBeyondTheLimitOfTheAddress() throws Exception {
    Api api = phases(SignInFilter.class);
    for (int i = 0; i < 5; i++) {
      assertEquals(401, api.get("/profile", "User", "nobody").statusCode());
    }
    assertEquals(429, api.get("/profile", "User", "nobody").statusCode());
  }

  @Test
  default void whoeverIsRefusedAsAUserAlsoUsesUpItsAddress() throws Exception {
    Api api = phases(SignInFilter.class);
    for (int i = 0; i < 2; i++) {
      assertEquals(200, api.get("/profile", "User", "alice").statusCode());
    }
    for (int i = 0; i < 3; i++) {
      Response refused = api.get("/profile", "User", "alice");
      assertEquals(429, refused.statusCode());
      assertEquals(List.of("user"), refused.jsonPath().getList("violated-policies"));
      assertEquals(List.of("address", "user"), Fields.names(refused.header("RateLimit-Policy")));
    }
    Response sixth = api.get("/profile", "User", "bob");
    assertEquals(429, sixth.statusCode());
    assertEquals(List.of("address"), sixth.jsonPath().getList("violated-policies"));
  }

  @Test
  default void noMoreSignInsAreTriedThanTheAddressMayTry() throws Exception {
    SignInFilter signIn = new SignInFilter();
    Api api = serving(Phases.class).with(signIn).setting("weir.policy.user.limit", "1").start();
    for (int i = 0; i < 20; i++) {
      api.get("/profile", "User", "alice");
    }
    assertEquals(5, signIn.tried());
  }

  @Test
  default void aMistakeAfterTheSignInLeavesTheAddressCharged() throws Exception {
    SignInFilter signIn = new SignInFilter();
    Api api =
        serving(Phases.class)
            .with(signIn)
            .setting("weir.policy.user.cost-from", "header:Amount")
            .start();
    Response first = api.get("/profile", "User", "alice");
    assertEquals(400, first.statusCode());
    assertEquals(List.of("address"), Fields.names(first.header("RateLimit-Policy")));
    assertEquals(4, Api.left(first));
    for (int i = 0; i < 4; i++) {
      assertEquals(400, api.get("/profile", "User", "alice").statusCode());
    }
    assertEquals(429, api.get("/profile", "User", "alice").statusCode());
    assertEquals(5, signIn.tried());
  }

  @Test
  default void whoComesBackAtRetryAfterOfBothPhasesIsAdmitted() throws Exception {
    Api api =
        serving(Phases.class, SignInFilter.class)
            .setting("weir.policy.user.limit", "1")
            .setting("weir.policy.address.limit", "2")
            .setting("weir.policy.address.window", "1h")
            .start();
    assertEquals(200, api.get("/profile", "User", "alice").statusCode());
    Response refused = api.get("/profile", "User", "alice");
    assertEquals(List.of("user"), refused.jsonPath().getList("violated-policies"));
    int seconds = Integer.parseInt(refused.header("Retry-After"));
    assertTrue(seconds > 3_500, "the address is used up for an hour: " + seconds);
    api.pass(Duration.ofSeconds(seconds));
    assertEquals(200, api.get("/profile", "User", "alice").statusCode());
  }

  /** Registers the filter for some methods only, or by another feature. */
  @Test
  default void aFilterOfTheMethodAloneRunsBetweenThePhasesToo() throws Exception {
    SignInFilter signIn = new SignInFilter();
    DynamicFeature feature =
        (resource, context) -> {
          if (resource.getResourceMethod().getName().equals("profile")) {
            context.register(signIn);
          }
        };
    Api api = serving(Phases.class).with(feature).setting("weir.policy.user.limit", "1").start();
    for (int i = 0; i < 20; i++) {
      api.get("/profile", "User", "alice");
    }
    assertEquals(5, signIn.tried());
  }

  @Test
  default void showsTheLimitsOfBothPhases() throws Exception {
    Response response = phases(SignInFilter.class).get("/profile", "User", "alice");
    assertEquals(List.of("address", "user"), Fields.names(response.header("RateLimit-Policy")));
    assertEquals(List.of("user"), Fields.names(response.header("RateLimit")));
  }

  @Test
  default void whereOnlyUsersCountAFailedSignInShowsNothing() throws Exception {
    Api api = phases(SignInFilter.class);
    assertNull(api.get("/private", "User", "nobody").header("RateLimit"));
    assertEquals(2, api.admitted("/private", "User", "alice"));
  }

  /** A filter after both phases doesn't run for refused requests. */
  @Test
  default void aFilterBehindBothPhasesChangesNothing() throws Exception {
    Api api = serving(Phases.class, SignInFilter.Early.class, Late.class).start();
    assertEquals(2, api.admitted("/profile", "User", "alice"));
    assertEquals(2, api.admitted("/profile", "User", "bob"));
    assertEquals(1, api.admitted("/profile", "User", "carol"));
  }

  /** Such a filter refuses before the endpoint is known, so nothing is counted. */
  @Test
  default void usersWhoSignedInBeforeMatchingCountToo() throws Exception {
    Api api = phases(SignInFilter.Early.class);
    assertEquals(2, api.admitted("/profile", "User", "alice"));
    assertEquals(2, api.admitted("/profile", "User", "bob"));
    Response refused = api.get("/profile", "User", "nobody");
    assertEquals(401, refused.statusCode());
    assertNull(refused.header("RateLimit"));
    assertEquals(1, api.admitted("/profile", "User", "carol"));
  }

  /** Most implementations answer it before any filter, Jersey behind those of resource methods. */
  @Test
  default void noCredentialIsTriedByOptionsBeyondTheLimitOfTheApplication() throws Exception {
    SignInFilter signIn = new SignInFilter();
    Api api =
        serving(Phases.class)
            .with(signIn)
            .setting("weir.application.limit", "2")
            .setting("weir.application.window", "1m")
            .start();
    for (int i = 0; i < 5; i++) {
      api.request().header("Authorization", "Basic Z3Vlc3M6MQ==").options(api.base() + "/profile");
    }
    assertTrue(signIn.tried() <= 2, () -> "tried " + signIn.tried());
    int before = signIn.tried();
    for (int i = 0; i < 5; i++) {
      assertNull(api.request().options(api.base() + "/profile").header("RateLimit"));
    }
    assertTrue(signIn.tried() == before || signIn.tried() == before + 5, "without one it is free");
  }
}
