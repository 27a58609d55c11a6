package io.weir.compat.example;

import static io.weir.compat.example.Api.from;
import static io.weir.compat.example.Api.times;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.http.Header;
import io.restassured.response.Response;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests endpoints with woven methods, failing ones, and unlimited ones. */
interface AnswerTests extends ServedExample {
  private Response sms(String phone) {
    return api().post("/api/sms?phone=" + phone);
  }

  @Test
  default void smsIsLimitedByTheServiceThatSends() {
    Wire.answers(sms("123"), "sms");
    times(9, 200, () -> sms("123"));
    Response refused = sms("123");
    Wire.refused(refused, "sms");
    assertEquals("\"sms\";q=10;w=3600", refused.header("RateLimit-Policy"));
    assertEquals(0, Wire.left(refused));
    times(10, 200, () -> sms("456"));
    api().passSeconds(Wire.retryAfter(refused));
    times(1, 200, () -> sms("123"));
  }

  @Test
  default void smsIsTheSameNumberHoweverItIsSpelledAndWhoeverSends() {
    times(4, 200, () -> sms("%2B123"));
    times(3, 200, () -> sms("%2b%31%32%33"));
    times(3, 200, () -> api().post("/api/sms?phone=%2B123", from("192.0.2.1")));
    Wire.refused(sms("%2B123"), "sms");
    times(1, 200, () -> sms("123"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/sms", "/api/sms?phone=", "/api/sms?phone=%20"})
  default void smsWithoutANumberIsAMistakeThatCostsNothing(String path) {
    times(15, 400, () -> api().post(path));
    times(10, 200, () -> sms("123"));
    times(1, 429, () -> sms("123"));
  }

  @Test
  default void brokenFailsInTheApplicationsOwnWayWithTheSameFields() {
    for (int left = 9; left >= 0; left--) {
      Response response = api().get("/api/broken");
      assertEquals(500, response.statusCode());
      assertEquals("broken", response.path("endpoint"));
      Wire.showsLimit(response, api().ticker(), "broken", 10, left);
    }
    Wire.refused(api().get("/api/broken"), "broken");
  }

  @Test
  default void freeHasNoLimitAndSaysNothingOfAny() {
    api().flood(100, 200, "/api/free");
    Response response = api().get("/api/free");
    Wire.answers(response, "free");
    assertFalse(response.headers().asList().stream().anyMatch(AnswerTests::speaksOfLimits));
  }

  private static boolean speaksOfLimits(Header field) {
    return field.getName().contains("RateLimit") || field.getName().equals("Retry-After");
  }

  @Test
  default void thePageListsEveryEndpointWithACurlLine() {
    Response page = api().get("/");
    assertEquals(200, page.statusCode());
    assertTrue(page.contentType().startsWith("text/html"));
    List<String> curls = page.asString().lines().filter(line -> line.contains("curl ")).toList();
    for (String endpoint :
        List.of(
            "hello",
            "search",
            "feed",
            "feed/load?percent=",
            "profile",
            "items",
            "report",
            "buy?amount=",
            "login",
            "stacked",
            "sms?phone=",
            "exact",
            "hot",
            "ahead",
            "bucket",
            "broken",
            "plan",
            "quota",
            "free")) {
      String address = api().uri() + "api/" + endpoint;
      assertTrue(curls.stream().anyMatch(line -> line.contains(address)), address);
    }
  }
}
