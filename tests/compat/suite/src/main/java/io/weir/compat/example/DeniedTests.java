package io.weir.compat.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.restassured.response.Response;
import org.junit.jupiter.api.Test;

/** Tests the entry of the access list in the settings of the example. */
interface DeniedTests extends ServedExample {
  @Test
  default void aLeakedKeyIsDeniedEverywhere() {
    for (String path : new String[] {"/api/hello", "/api/plan"}) {
      Response denied = api().get(path, "X-Api-Key", "leaked-key");
      assertEquals(403, denied.statusCode(), path);
      assertEquals("Forbidden", denied.path("title"));
      assertNull(denied.header("RateLimit"));
      Wire.answers(api().get(path, "X-Api-Key", "free-1"), path.substring(5));
    }
  }
}
