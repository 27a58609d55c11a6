package io.weir.compat.example;

import static io.weir.compat.example.Api.from;
import static io.weir.compat.example.Api.times;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the requests per window, and when the next window begins. */
interface WindowTests extends ServedExample {
  @Test
  default void helloTellsWhatIsLeftOfTen() {
    for (int left = 9; left >= 0; left--) {
      Response response = api().get("/api/hello");
      Wire.answers(response, "hello");
      Wire.showsLimit(response, api().ticker(), "hello", 10, left);
      assertEquals("\"hello\";q=10;w=10", response.header("RateLimit-Policy"));
    }
    Wire.refused(api().get("/api/hello"), "hello");
  }

  @Test
  default void helloAdmitsAgainExactlyWhenAnnounced() {
    times(10, 200, () -> api().get("/api/hello"));
    long seconds = Wire.retryAfter(api().get("/api/hello"));
    assertTrue(seconds >= 10 && seconds <= 11, () -> "Retry-After: " + seconds);
    api().passSeconds(seconds - 1);
    Response early = api().get("/api/hello");
    Wire.refused(early, "hello");
    assertEquals(1, Wire.retryAfter(early));
    api().passSeconds(1);
    Wire.answers(api().get("/api/hello"), "hello");
  }

  @Test
  default void helloCountsEachAddressAlone() {
    times(10, 200, () -> api().get("/api/hello"));
    times(1, 429, () -> api().get("/api/hello"));
    times(10, 200, () -> api().get("/api/hello", from("192.0.2.1")));
    times(1, 429, () -> api().get("/api/hello", from("192.0.2.1")));
  }

  @Test
  default void reportCostsFive() {
    for (int left = 15; left >= 0; left -= 5) {
      Response response = api().get("/api/report");
      Wire.answers(response, "report");
      Wire.showsLimit(response, api().ticker(), "report", 20, left);
    }
    Wire.refused(api().get("/api/report"), "report");
  }

  /** A caller that retries when the month ends in Berlin, and not before, is admitted. */
  @Test
  default void reportBeginsAnewWithTheMonthInBerlin() {
    times(4, 200, () -> api().get("/api/report"));
    Response refused = api().get("/api/report");
    Wire.refused(refused, "report");
    ZonedDateTime now = berlin();
    ZonedDateTime first = now.toLocalDate().withDayOfMonth(1).atStartOfDay(now.getZone());
    ZonedDateTime next =
        now.toLocalDate().withDayOfMonth(1).plusMonths(1).atStartOfDay(now.getZone());
    long left = Duration.between(now, next).toSeconds();
    assertEquals(left, Wire.retryAfter(refused));
    assertEquals(
        Duration.between(first, next).toSeconds(), Wire.number(refused, "RateLimit-Policy", "w"));
    api().passSeconds(left - 1);
    Wire.refused(api().get("/api/report"), "report");
    api().passSeconds(1);
    Response again = api().get("/api/report");
    Wire.answers(again, "report");
    Wire.showsLimit(again, api().ticker(), "report", 20, 15);
  }

  private ZonedDateTime berlin() {
    long seconds = api().ticker().epochMicros() / 1_000_000;
    return Instant.ofEpochSecond(seconds).atZone(ZoneId.of("Europe/Berlin"));
  }

  @Test
  default void buyTakesTheAmountAndSomeComesBackEachDay() {
    Response bought = api().post("/api/buy?amount=120.00");
    Wire.answers(bought, "buy");
    Wire.showsLimit(bought, api().ticker(), "buy", 200, 80);
    Wire.refused(api().post("/api/buy?amount=81"), "buy");
    Wire.showsLimit(api().post("/api/buy?amount=79.01"), api().ticker(), "buy", 200, 0);
    Response refused = api().post("/api/buy?amount=60");
    Wire.refused(refused, "buy");
    assertEquals(2 * 86_400, Wire.retryAfter(refused));
    api().passSeconds(86_400);
    Wire.showsLimit(api().post("/api/buy?amount=50"), api().ticker(), "buy", 200, 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?amount=", "?amount=much", "?amount=-1"})
  default void buyRefusesWhatIsNoAmountAndChargesNothing(String query) {
    assertEquals(400, api().post("/api/buy" + query).statusCode());
    Wire.showsLimit(api().post("/api/buy?amount=1"), api().ticker(), "buy", 200, 199);
  }

  @Test
  default void buyNeverAdmitsMoreThanItsLimitAndChargesNothing() {
    Response refused = api().post("/api/buy?amount=201");
    assertEquals(429, refused.statusCode());
    assertFalse(refused.headers().hasHeaderWithName("Retry-After"));
    Wire.showsLimit(api().post("/api/buy?amount=1"), api().ticker(), "buy", 200, 199);
  }

  @Test
  default void stackedShowsBothLimitsAndTheCloserOne() {
    Response response = api().get("/api/stacked");
    Wire.answers(response, "stacked");
    assertEquals(
        "\"stacked-minute\";q=10;w=60,\"stacked-hour\";q=500;w=3600",
        response.header("RateLimit-Policy").replace(", ", ","));
    Wire.showsLimit(response, api().ticker(), "stacked-minute", 10, 9);
  }

  @Test
  default void stackedNamesThePolicyThatRefused() {
    api().flood(10, 200, "/api/stacked");
    Wire.refused(api().get("/api/stacked"), "stacked-minute");
  }

  /** 50 minutes of ten requests each make 500: refusals in between didn't charge the hour. */
  @Test
  default void stackedChargesBothOrNone() {
    for (int minute = 0; minute < 50; minute++) {
      api().flood(10, 200, "/api/stacked");
      api().flood(2, 429, "/api/stacked");
      api().passSeconds(62);
    }
    Wire.refused(api().get("/api/stacked"), "stacked-hour");
  }

  @Test
  default void exactIsSharedByEverybodyInMinutesOfTheEpoch() {
    api().passSeconds(59);
    api().flood(50, 200, "/api/exact");
    api().flood(50, 200, "/api/exact", from("192.0.2.1"));
    Response refused = api().get("/api/exact", from("2001:db8::1"));
    Wire.refused(refused, "exact");
    assertEquals(1, Wire.retryAfter(refused));
    api().passSeconds(1);
    Response response = api().get("/api/exact");
    Wire.answers(response, "exact");
    Wire.showsLimit(response, api().ticker(), "exact", 100, 99);
    assertEquals(60, Wire.number(response, "RateLimit", "t"));
  }

  @Test
  default void hotHasAMillionForEachAddress() {
    Response response = api().get("/api/hot");
    Wire.answers(response, "hot");
    Wire.showsLimit(response, api().ticker(), "hot", 1_000_000, 999_999);
    api().flood(99, 200, "/api/hot");
    assertEquals(999_899, Wire.number(api().get("/api/hot"), "RateLimit", "r"));
    Wire.showsLimit(
        api().get("/api/hot", from("192.0.2.1")), api().ticker(), "hot", 1_000_000, 999_999);
  }

  /** Without a shared store, no request is admitted ahead. */
  @Test
  default void aheadAdmitsNoMoreThanAThousandOnOneNode() {
    Response response = api().get("/api/ahead");
    Wire.answers(response, "ahead");
    Wire.showsLimit(response, api().ticker(), "ahead", 1000, 999);
    api().flood(999, 200, "/api/ahead");
    Wire.refused(api().get("/api/ahead"), "ahead");
  }

  @Test
  default void bucketHasTwentyAtOnceThenOneEachSecond() {
    for (int left = 19; left >= 0; left--) {
      Response response = api().get("/api/bucket");
      Wire.answers(response, "bucket");
      Wire.showsLimit(response, api().ticker(), "bucket", 60, left);
    }
    for (int second = 0; second < 3; second++) {
      Response refused = api().get("/api/bucket");
      Wire.refused(refused, "bucket");
      assertEquals(1, Wire.retryAfter(refused));
      api().passSeconds(1);
      times(1, 200, () -> api().get("/api/bucket"));
    }
  }

  @Test
  default void bucketHoldsNoMoreThanTwentyHoweverLongItRests() {
    times(20, 200, () -> api().get("/api/bucket"));
    api().passSeconds(3600);
    times(20, 200, () -> api().get("/api/bucket"));
    times(1, 429, () -> api().get("/api/bucket"));
  }
}
