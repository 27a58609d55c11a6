package io.weir.compat.example;

import static io.weir.compat.example.Api.from;
import static io.weir.compat.example.Api.times;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.response.Response;
import org.junit.jupiter.api.Test;

/** Tests plans in a database, for an endpoint without annotation and callers with keys. */
interface PlanTests extends ServedExample {
  private Response plan(String key) {
    return api().get("/api/plan", "X-Api-Key", key);
  }

  @Test
  default void aFreeKeyHasTenAMinute() {
    Response response = plan("free-1");
    Wire.answers(response, "plan");
    Wire.showsLimit(response, api().ticker(), "plan", 10, 9);
    times(9, 200, () -> plan("free-1"));
    Response refused = plan("free-1");
    Wire.refused(refused, "plan");
    api().passSeconds(Wire.retryAfter(refused));
    times(1, 200, () -> plan("free-1"));
  }

  @Test
  default void aKeyThatNobodyKnowsIsFreeAndCountsByItself() {
    times(10, 200, () -> plan("invented"));
    times(1, 429, () -> plan("invented"));
    times(10, 200, () -> plan("invented too"));
  }

  @Test
  default void whoHasNoKeyCountsByAddress() {
    times(10, 200, () -> api().get("/api/plan"));
    Wire.refused(api().get("/api/plan"), "plan");
    times(1, 200, () -> api().get("/api/plan", from("192.0.2.1")));
    times(1, 200, () -> plan("free-1"));
  }

  @Test
  default void premiumHasAThousandAMinuteFromWhereverItCalls() {
    String[] elsewhere = {"X-Api-Key", "premium-1", "X-Forwarded-For", "192.0.2.1"};
    Wire.answers(api().get("/api/plan", elsewhere), "plan");
    api().flood(500, 200, "/api/plan", "X-Api-Key", "premium-1");
    api().flood(499, 200, "/api/plan", elsewhere);
    Wire.refused(plan("premium-1"), "plan");
    Wire.refused(api().get("/api/plan", elsewhere), "plan");
  }

  @Test
  default void noAddressHasMoreThanSixHundredAMinuteWhateverItsPlan() {
    Response first = plan("enterprise-1");
    assertEquals("\"address\";q=600;w=60,\"plan\";q=100000;w=60", first.header("RateLimit-Policy"));
    api().flood(599, 200, "/api/plan", "X-Api-Key", "enterprise-1");
    Wire.refused(plan("enterprise-1"), "address");
    Wire.refused(plan("another"), "address");
    times(1, 200, () -> api().get("/api/plan", from("192.0.2.1")));
  }
}
