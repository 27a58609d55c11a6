package io.weir.compat.example;

import static io.weir.compat.example.Api.times;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.response.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the behaviour at limits that aren't HARD. */
interface ModeTests extends ServedExample {
  private void pretend(int percent) {
    Wire.answers(api().post("/api/feed/load?percent=" + percent), "feed/load");
  }

  @Test
  default void searchAdmitsTwoMoreAndMarksThem() {
    for (int request = 1; request <= 12; request++) {
      Response response = api().get("/api/search");
      Wire.answers(response, "search");
      Wire.showsLimit(response, api().ticker(), "search", 10, Math.max(0, 10 - request));
      assertEquals(request <= 10 ? "ADMITTED" : "SOFT", response.path("outcome"));
    }
    Wire.refused(api().get("/api/search"), "search");
  }

  @ParameterizedTest
  @CsvSource({"0,20", "60,20", "70,15", "80,10"})
  default void feedAdmitsWhatTheLoadAllows(int percent, int admitted) {
    pretend(percent);
    for (int request = 1; request <= admitted; request++) {
      Response response = api().get("/api/feed");
      Wire.answers(response, "feed");
      assertEquals(10, Wire.number(response, "RateLimit-Policy", "q"));
      assertEquals(request <= 10 ? "ADMITTED" : "ELASTIC", response.path("outcome"));
    }
    Wire.refused(api().get("/api/feed"), "feed");
  }

  @ParameterizedTest
  @CsvSource({"90,7", "100,5"})
  default void feedIsShortOfCapacityBelowTheLimitWhenOverloaded(int percent, int admitted) {
    pretend(percent);
    times(admitted, 200, () -> api().get("/api/feed"));
    Response refused = api().get("/api/feed");
    assertEquals(503, refused.statusCode());
    Wire.explains(refused, Wire.CAPACITY, "feed");
  }

  @Test
  default void feedFollowsTheLoadAtOnce() {
    pretend(100);
    times(5, 200, () -> api().get("/api/feed"));
    times(1, 503, () -> api().get("/api/feed"));
    pretend(0);
    times(15, 200, () -> api().get("/api/feed"));
    times(1, 429, () -> api().get("/api/feed"));
    pretend(100);
    Wire.refused(api().get("/api/feed"), "feed");
  }

  @Test
  default void feedNeedsNobodyToPretend() {
    pretend(100);
    times(5, 200, () -> api().get("/api/feed"));
    times(1, 503, () -> api().get("/api/feed"));
    Wire.answers(api().post("/api/feed/load?percent="), "feed/load");
    Wire.answers(api().post("/api/feed/load"), "feed/load");
  }

  @ParameterizedTest
  @ValueSource(strings = {"101", "-1", "much", "1e1", "%20x"})
  default void feedRefusesALoadThatIsNone(String percent) {
    assertEquals(400, api().post("/api/feed/load?percent=" + percent).statusCode());
  }
}
