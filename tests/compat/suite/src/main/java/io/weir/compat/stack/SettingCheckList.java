package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.stack.StackClient.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Lists the checks of the settings that limit endpoints without annotations and the application, in
 * a process that has them.
 */
final class SettingCheckList {
  /** Fewer than the application's. */
  private static final int DEFAULT_LIMIT = 4;

  private static final int APPLICATION_LIMIT = 8;

  /** The settings of the process: by address for each endpoint, by user for the application. */
  static final List<String> OPTIONS =
      List.of(
          "-Dweir.default.limit=" + DEFAULT_LIMIT,
          "-Dweir.default.window=1h",
          "-Dweir.application.limit=" + APPLICATION_LIMIT,
          "-Dweir.application.window=1h",
          "-Dweir.application.by=user");

  private final StackClient client;
  private int users;
  private int addresses;

  private SettingCheckList(StackClient client) {
    this.client = client;
  }

  /** Lists the checks, which begin after a number. */
  static List<Check> of(StackClient client, int before) {
    SettingCheckList list = new SettingCheckList(client);
    return List.of(
        new Check(
            before + 1, "weir.default limits endpoints without an annotation", list::byDefault),
        new Check(
            before + 2,
            "weir.application limits all endpoints together, once per request",
            list::application));
  }

  /** Returns a new user at an address. */
  private Caller userAt(String address) {
    users++;
    return Caller.at(address).with("X-User", "user-" + users);
  }

  private void byDefault() throws Exception {
    for (String path : List.of("/free", "/items/1")) {
      List<Integer> statuses = new ArrayList<>();
      for (int i = 0; i <= DEFAULT_LIMIT; i++) {
        statuses.add(client.get(path, userAt("203.0.113.1")).status());
      }
      assertEquals(List.of(200, 200, 200, 200, 429), statuses, path);
    }
    assertEquals(429, client.get("/items/2", userAt("203.0.113.1")).status(), "the same endpoint");
    assertEquals(Set.of("ip", "application"), limits("/ip"));
    assertEquals(2, limits("/free").size());
  }

  private Set<String> limits(String path) throws Exception {
    return client.get(path, userAt("203.0.113.2")).limits().keySet();
  }

  /** From another address each time, so that no other limit is reached. */
  private void application() throws Exception {
    Caller user = userAt("203.0.113.3");
    List<String> paths =
        List.of("/ip", "/async", "/mapped", "/free", "/items/1", "/unmapped", "/user", "/failures");
    List<Integer> statuses = new ArrayList<>();
    for (String path : paths) {
      statuses.add(get(path, user).status());
    }
    assertEquals(List.of(200, 200, 500, 200, 200, 500, 200, 200), statuses, paths::toString);
    for (String path : Stream.concat(paths.stream(), Stream.of("/key")).toList()) {
      Reply refusal = get(path, user);
      assertEquals(429, refusal.status(), path);
      assertTrue(refusal.body().contains("\"application\""), refusal::body);
    }
    assertEquals(200, get("/ip", userAt("203.0.113.4")).status(), "another user");
  }

  private Reply get(String path, Caller user) throws Exception {
    addresses++;
    return client.get(path, new Caller("198.51.100." + addresses, user.fields()));
  }
}
