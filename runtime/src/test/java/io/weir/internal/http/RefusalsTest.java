package io.weir.internal.http;

import static io.weir.internal.http.WireFixture.admitted;
import static io.weir.internal.http.WireFixture.at;
import static io.weir.internal.http.WireFixture.byName;
import static io.weir.internal.http.WireFixture.policy;
import static io.weir.internal.http.WireFixture.read;
import static io.weir.internal.http.WireFixture.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.path.json.JsonPath;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.internal.permits.RequestDecision;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RefusalsTest {
  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
  private static final Policy BURST = policy("burst", 100, Duration.ofMinutes(1));
  private static final Policy DAILY = policy("daily", 1000, Duration.ofDays(1));
  private static final Policy WATCH = policy("watch", 1, Duration.ofDays(1));

  @Test
  void refusesWith429AndSaysWhatWasExceeded() {
    Refusal refusal = write(HeaderDialect.BOTH, refused(BURST, Reason.QUOTA_EXCEEDED, 29_000_001));
    assertEquals(429, refusal.status());
    assertEquals("application/problem+json", refusal.contentType());
    assertEquals("30", byName(refusal.headers()).get("Retry-After"));
    assertEquals(
        Set.of("type", "title", "status", "detail", "violated-policies", "retryAfter"),
        new JsonPath(refusal.body()).getMap("").keySet());
    assertEquals(TYPES + "quota-exceeded", member(refusal, "type"));
    assertEquals((Object) 429, member(refusal, "status"));
    assertEquals((Object) 30, member(refusal, "retryAfter"));
    assertEquals(List.of("burst"), member(refusal, "'violated-policies'"));
    assertEquals("Policy burst admits 100 permits per 60 s.", member(refusal, "detail"));
  }

  @Test
  void carriesTheRateLimitFieldsToo() {
    Refusal refusal = write(HeaderDialect.BOTH, refused(BURST, Reason.QUOTA_EXCEEDED, 30_000_000));
    Map<String, String> fields = byName(refusal.headers());
    assertEquals(List.of("burst q=100 w=60"), read(fields.get("RateLimit-Policy")));
    assertEquals(List.of("burst r=0 t=30"), read(fields.get("RateLimit")));
    assertEquals("0", fields.get("X-RateLimit-Remaining"));
  }

  @Test
  void tellsWhenToRetryInEveryDialect() {
    for (HeaderDialect dialect : HeaderDialect.values()) {
      Refusal refusal = write(dialect, refused(BURST, Reason.QUOTA_EXCEEDED, 1_000_000));
      assertEquals("1", byName(refusal.headers()).get("Retry-After"), dialect.name());
    }
    Refusal bare = write(HeaderDialect.NONE, refused(BURST, Reason.QUOTA_EXCEEDED, 1_000_000));
    assertEquals(List.of(new HeaderField("Retry-After", "1")), bare.headers());
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 1", "1000000, 1", "1000001, 2", "59999999, 60", "60000000, 60"})
  void roundsRetryAfterUpToAtLeastOne(long retryMicros, int seconds) {
    Refusal refusal = write(HeaderDialect.NONE, refused(BURST, Reason.QUOTA_EXCEEDED, retryMicros));
    assertEquals("" + seconds, byName(refusal.headers()).get("Retry-After"));
    assertEquals((Object) seconds, member(refusal, "retryAfter"));
  }

  @ParameterizedTest
  @EnumSource(names = {"REDUCED_CAPACITY", "STORE_UNAVAILABLE"})
  void refusesWith503WhereTheCallerIsNotToBlame(Reason reason) {
    Refusal refusal = write(HeaderDialect.BOTH, refused(BURST, reason, 500_000));
    assertEquals(503, refusal.status());
    assertEquals("1", byName(refusal.headers()).get("Retry-After"));
    assertEquals(TYPES + "temporary-reduced-capacity", member(refusal, "type"));
    assertEquals((Object) 503, member(refusal, "status"));
    assertEquals(List.of("burst"), member(refusal, "'violated-policies'"));
  }

  @Test
  void namesAllPoliciesThatRefuseAndWaitsForTheLast() {
    Decision decision =
        RequestDecision.of(
            List.of(
                refused(BURST, Reason.QUOTA_EXCEEDED, 20_000_000),
                admitted(policy("hourly", 10, Duration.ofHours(1)), 9, 1),
                refused(DAILY, Reason.QUOTA_EXCEEDED, 4_000_000_000L)));
    Refusal refusal = write(HeaderDialect.IETF, decision);
    assertEquals(List.of("burst", "daily"), member(refusal, "'violated-policies'"));
    assertEquals("4000", byName(refusal.headers()).get("Retry-After"));
    assertEquals(
        List.of("burst q=100 w=60", "hourly q=10 w=3600", "daily q=1000 w=86400"),
        read(byName(refusal.headers()).get("RateLimit-Policy")));
  }

  @Test
  void neitherNamesNorWaitsForAPolicyThatOnlyWatches() {
    Decision watching =
        RequestDecision.builder(WATCH, Key.everybody())
            .outcome(Outcome.SHADOW_REFUSED, Reason.QUOTA_EXCEEDED)
            .remaining(1, 0)
            .after(80_000_000_000L, 80_000_000_000L)
            .build();
    Decision refused = refused(BURST, Reason.QUOTA_EXCEEDED, 20_000_000);
    Refusal refusal = write(HeaderDialect.IETF, RequestDecision.of(List.of(watching, refused)));
    assertEquals(List.of("burst"), member(refusal, "'violated-policies'"));
    assertEquals("20", byName(refusal.headers()).get("Retry-After"));
  }

  @Test
  void answersABadRequestWith400AndEscapesWhatItSays() {
    String detail = "a \"key\" of \\ 9 KiB:\r\n\u0000\u007f caf\u00e9 \ud83d\ude00 </script>";
    Refusal refusal = refusals(HeaderDialect.BOTH).badRequest(detail);
    assertEquals(400, refusal.status());
    assertEquals(List.of(), refusal.headers());
    assertEquals("about:blank", member(refusal, "type"));
    assertEquals("Bad Request", member(refusal, "title"));
    assertEquals((Object) 400, member(refusal, "status"));
    assertEquals(detail, member(refusal, "detail"));
    assertTrue(refusal.body().chars().allMatch(each -> each >= ' ' && each < 0x7f));
    assertEquals(refusal.body().length(), refusal.bytes().length);
  }

  @Test
  void takesNoAdmissionForARefusal() {
    Decision admission = admitted(BURST, 1, 1);
    Refusals refusals = refusals(HeaderDialect.BOTH);
    assertThrows(IllegalArgumentException.class, () -> refusals.of(admission));
  }

  private static Refusal write(HeaderDialect dialect, Decision decision) {
    return refusals(dialect).of(decision);
  }

  private static Refusals refusals(HeaderDialect dialect) {
    return new Refusals(new RateLimitFields(dialect, at(0)));
  }

  private static <T> T member(Refusal refusal, String path) {
    return new JsonPath(refusal.body()).get(path);
  }
}
