package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.control.ControlApp.Reply;
import java.util.List;
import java.util.function.IntSupplier;

/** Checks that no entry of an access list keeps administrators out of console and API. */
final class Lockout {
  private static final String ROOT = "root/weir-admin";
  private static final String LIST = "/v1/admin/ratelimit/access";

  private Lockout() {}

  /**
   * Denies an administrator's address, user and key by the API, and lifts that again by it.
   *
   * @param app whose settings deny the address and the user as well
   * @param keyHeader the header of keys
   * @param other asks an endpoint of the application, which is denied
   */
  static void assertNone(ControlApp app, String keyHeader, IntSupplier other) {
    List<String> own =
        List.of("\"subject\": \"127.0.0.1\"", "\"subject\": \"user:root\"", "\"apiKey\": \"k\"");
    for (String each : own) {
      Reply denied =
          app.send(
              app.request(LIST, ROOT).header(keyHeader, "k"),
              "POST",
              "{\"action\": \"DENY\", " + each + "}");
      assertEquals(201, denied.status(), denied.response()::body);
      app.rules.refresh();
      assertEquals(403, other.getAsInt());
      assertEquals(200, app.send(app.request("/v1/console/", "").GET()).status());
      assertEquals(200, app.send(app.request("/v1/session", ROOT).GET()).status());
      assertEquals(200, app.send(app.request(LIST, ROOT).header(keyHeader, "k").GET()).status());
    }
    for (int id = own.size(); id > 0; id--) {
      Reply lifted =
          app.send(
              app.request(LIST + "/" + id, ROOT)
                  .header(keyHeader, "k")
                  .header("If-Match", "1")
                  .DELETE());
      assertEquals(204, lifted.status(), lifted.response()::body);
    }
  }
}
