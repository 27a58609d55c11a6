package io.weir.compat.example;

import static io.weir.compat.example.Api.from;
import static io.weir.compat.example.Api.times;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import org.junit.jupiter.api.Test;

/** Tests the keys of callers: users, addresses and API keys. */
interface CallerTests extends ServedExample {
  @Test
  default void profileCountsEachUserWhereverTheyCallFrom() {
    Response response = api().signedIn("alice", "alice", "/api/profile");
    Wire.answers(response, "profile");
    Wire.showsLimit(response, api().ticker(), "profile-user", 20, 19);
    times(9, 200, () -> api().signedIn("alice", "alice", "/api/profile"));
    times(10, 200, () -> api().signedIn("alice", "alice", "/api/profile", from("192.0.2.1")));
    Wire.refused(api().signedIn("alice", "alice", "/api/profile"), "profile-user");
    times(20, 200, () -> api().signedIn("bob", "bob", "/api/profile"));
  }

  @Test
  default void profileChargesNoUserForWhoeverFailsToSignIn() {
    times(10, 401, () -> api().signedIn("alice", "guess", "/api/profile"));
    times(10, 401, () -> api().get("/api/profile"));
    times(20, 200, () -> api().signedIn("alice", "alice", "/api/profile"));
    Wire.refused(api().signedIn("alice", "alice", "/api/profile"), "profile-user");
  }

  @Test
  default void profileShowsTheAddressItsLimitAlsoWithoutSignIn() {
    Response response = api().get("/api/profile");
    assertEquals(401, response.statusCode());
    assertTrue(response.header("WWW-Authenticate").startsWith("Basic realm=\"example\""));
    Wire.showsLimit(response, api().ticker(), "profile-ip", 60, 59);
  }

  @Test
  default void profileCountsTheAddressBeforeAnybodySignsIn() {
    times(60, 401, () -> api().signedIn("alice", "guess", "/api/profile"));
    Wire.refused(api().signedIn("alice", "guess", "/api/profile"), "profile-ip");
    Wire.refused(api().signedIn("alice", "alice", "/api/profile"), "profile-ip");
    times(20, 200, () -> api().signedIn("alice", "alice", "/api/profile", from("192.0.2.1")));
  }

  /** The sign-in has run when the user is refused, so the address stays charged. */
  @Test
  default void profileKeepsTheAddressChargedForSignInsOfARefusedUser() {
    times(20, 200, () -> api().signedIn("alice", "alice", "/api/profile"));
    times(40, 429, () -> api().signedIn("alice", "alice", "/api/profile"));
    Wire.refused(api().get("/api/profile"), "profile-ip");
  }

  @Test
  default void itemsCountsEachApiKey() {
    Response response = api().get("/api/items", "X-Api-Key", "one");
    Wire.answers(response, "items");
    Wire.showsLimit(response, api().ticker(), "items-key", 10, 9);
    times(9, 200, () -> api().get("/api/items", "X-Api-Key", "one"));
    Wire.refused(api().get("/api/items", "X-Api-Key", "one"), "items-key");
    times(10, 200, () -> api().get("/api/items", "X-Api-Key", "two"));
  }

  @Test
  default void itemsWithoutAKeyCountsTheAddress() {
    times(5, 200, () -> api().get("/api/items"));
    times(5, 200, () -> api().get("/api/items", "X-Api-Key", " "));
    Wire.refused(api().get("/api/items"), "items-key");
    times(1, 200, () -> api().get("/api/items", from("192.0.2.1")));
  }

  @Test
  default void itemsGivesPremiumKeysAThousandAndTheAddressTwoThousand() {
    Response response = api().get("/api/items", "X-Api-Key", "premium-1");
    Wire.showsLimit(response, api().ticker(), "items-key", 1000, 999);
    api().flood(999, 200, "/api/items", "X-Api-Key", "premium-1");
    Wire.refused(api().get("/api/items", "X-Api-Key", "premium-1"), "items-key");
    api().flood(1000, 200, "/api/items", "X-Api-Key", "premium-2");
    Wire.refused(api().get("/api/items", "X-Api-Key", "premium-3"), "items-ip");
    times(1, 200, () -> api().get("/api/items", concat("premium-3", from("192.0.2.1"))));
  }

  private static String[] concat(String key, String[] more) {
    return new String[] {"X-Api-Key", key, more[0], more[1]};
  }
}
