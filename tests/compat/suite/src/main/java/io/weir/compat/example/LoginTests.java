package io.weir.compat.example;

import static io.weir.compat.example.Api.from;
import static io.weir.compat.example.Api.times;

import io.restassured.response.Response;
import org.junit.jupiter.api.Test;

/** Counts only failures. */
interface LoginTests extends ServedExample {
  private Response login(String user, String password, String... fields) {
    return api().form("/api/login", "user=" + user + "&password=" + password, fields);
  }

  @Test
  default void theRightPasswordIsNeverCounted() {
    times(30, 200, () -> login("eve", "eve"));
    Wire.answers(login("eve", "eve"), "login");
    times(5, 401, () -> login("eve", "guess"));
  }

  @Test
  default void onceUsedUpTheRightPasswordIsRefusedToo() {
    times(4, 401, () -> login("eve", "guess"));
    times(1, 200, () -> login("eve", "eve"));
    times(1, 401, () -> login("eve", "guess"));
    Wire.refused(login("eve", "guess"), "login-user");
    Response refused = login("eve", "eve");
    Wire.refused(refused, "login-user");
    api().passSeconds(Wire.retryAfter(refused));
    times(1, 200, () -> login("eve", "eve"));
  }

  @Test
  default void aUserIsCountedForEachAddress() {
    times(5, 401, () -> login("eve", "guess"));
    times(1, 429, () -> login("eve", "guess"));
    times(1, 401, () -> login("eve", "guess", from("192.0.2.1")));
    times(1, 200, () -> login("eve", "eve", from("192.0.2.1")));
  }

  /** Refusals in between don't charge the address. */
  @Test
  default void anAddressHasTwentyFailuresWhoeverTheUserIs() {
    for (String user : new String[] {"ann", "ben", "cai", "dan"}) {
      times(5, 401, () -> login(user, "guess"));
      if (!user.equals("dan")) {
        times(3, 429, () -> login(user, "guess"));
      }
    }
    Wire.refused(login("eve", "guess"), "login-ip");
    Wire.refused(login("eve", "eve"), "login-ip");
    times(1, 200, () -> login("eve", "eve", from("192.0.2.1")));
  }

  @Test
  default void aRequestWithoutAnyUserIsAFailureOfTheAddress() {
    times(5, 401, () -> api().form("/api/login", "password=guess"));
    times(1, 429, () -> api().form("/api/login", "password=guess"));
  }
}
