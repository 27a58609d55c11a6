package io.weir.internal.http;

import static io.weir.internal.http.WireFixture.admitted;
import static io.weir.internal.http.WireFixture.at;
import static io.weir.internal.http.WireFixture.byName;
import static io.weir.internal.http.WireFixture.policy;
import static io.weir.internal.http.WireFixture.read;
import static io.weir.internal.http.WireFixture.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.restassured.path.json.JsonPath;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.RateLimiter;
import io.weir.Reason;
import io.weir.adapter.HeaderField;
import io.weir.adapter.Refusal;
import io.weir.annotation.Algorithm;
import io.weir.annotation.Count;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.internal.permits.RequestDecision;
import io.weir.spi.RefusalInfo;
import io.weir.spi.RefusalText;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RefusalFactoryTest {
  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
  private static final Reason QUOTA = Reason.QUOTA_EXCEEDED;
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
        Set.of("type", "title", "status", "detail", "error", "violated-policies", "retryAfter"),
        new JsonPath(refusal.text()).getMap("").keySet());
    assertEquals(TYPES + "quota-exceeded", member(refusal, "type"));
    assertEquals((Object) 429, member(refusal, "status"));
    assertEquals((Object) 30, member(refusal, "retryAfter"));
    assertEquals(List.of("burst"), member(refusal, "'violated-policies'"));
    assertEquals("Policy burst admits 100 requests per minute.", member(refusal, "detail"));
    assertEquals("Policy burst admits 100 requests per minute.", refusal.detail());
    assertEquals("Rate limit exceeded", member(refusal, "error"));
  }

  @Test
  void tellsABannedCallerSoAndWhenTheBanEnds() {
    Refusal refusal = write(HeaderDialect.BOTH, refused(BURST, Reason.BANNED, 3_599_000_001L));
    assertEquals(429, refusal.status());
    assertEquals("3600", byName(refusal.headers()).get("Retry-After"));
    assertEquals(TYPES + "abnormal-usage-detected", member(refusal, "type"));
    assertEquals("This caller is banned for a time.", member(refusal, "detail"));
    assertEquals("Banned", member(refusal, "error"));
    Policy list = policy("access-list", 1, Duration.ofSeconds(1));
    refusal = write(HeaderDialect.BOTH, refused(list, Reason.BANNED, 60_000_000));
    assertEquals(Set.of("Retry-After"), byName(refusal.headers()).keySet(), "no limit's fields");
  }

  @Test
  void namesTheWindowsOfACalendar() {
    Policy quarter =
        Policy.builder("quota").limit(9).window(3, ChronoUnit.MONTHS).zone("Asia/Beirut").build();
    Refusal refusal = write(HeaderDialect.BOTH, refused(quarter, Reason.QUOTA_EXCEEDED, 1));
    String detail = "Policy quota admits 9 requests per 3 months in Asia/Beirut.";
    assertEquals(detail, member(refusal, "detail"));
    Policy daily = Policy.builder("d").limit(9).window(1, ChronoUnit.DAYS).zone("UTC").build();
    refusal = write(HeaderDialect.BOTH, refused(daily, Reason.QUOTA_EXCEEDED, 1));
    assertEquals("Policy d admits 9 requests per day in UTC.", member(refusal, "detail"));
  }

  @Test
  void countsInRequestsOnlyWhereEachTakesOnePermit() {
    assertEquals("5 requests per 10 minutes", limit(login().limit(5)));
    assertEquals("1 request per 10 minutes", limit(login().limit(1)));
    assertEquals("5 failed requests per 10 minutes", limit(login().limit(5).count(Count.FAILURES)));
    assertEquals(
        "5 successful requests per 10 minutes", limit(login().limit(5).count(Count.SUCCESSES)));
    assertEquals("20 permits per 10 minutes", limit(login().limit(20).cost(5)));
    assertEquals("20 permits per 10 minutes", limit(login().limit(20).costFrom("query:amount")));
    assertEquals(
        "5 requests at once and 1 more every 10 minutes",
        limit(login().limit(5).algorithm(Algorithm.TOKEN_BUCKET).refill(1)));
    assertEquals("5 requests per 100 ms", limit(login().limit(5).window(Duration.ofMillis(100))));
  }

  @Test
  void aRequestThatCostsMoreIsToldOfPermits() {
    try (RateLimiter limiter = RateLimiter.inProcess()) {
      var unused = limiter.tryAcquire(BURST, Key.user("a"), 99);
      for (long cost : new long[] {2, 100}) {
        Refusal refusal = write(HeaderDialect.BOTH, limiter.tryAcquire(BURST, Key.user("a"), cost));
        assertEquals("Policy burst admits 100 permits per minute.", member(refusal, "detail"));
      }
    }
  }

  @Test
  void aRequestThatCostsMoreThanThereEverIsGetsNoTimeToRetryAfter() {
    try (RateLimiter limiter = RateLimiter.inProcess()) {
      Decision decision = limiter.tryAcquire(BURST, Key.user("a"), 101);
      Refusal refusal = write(HeaderDialect.BOTH, decision);
      assertEquals(429, refusal.status());
      assertEquals(
          "Policy burst never admits this request: it costs more than 100 permits, the most"
              + " available at once.",
          member(refusal, "detail"));
      assertFalse(refusal.text().contains("retryAfter"), refusal::text);
      assertTrue(
          refusal.headers().stream().noneMatch(each -> each.name().equals("Retry-After")),
          () -> refusal.headers().toString());
      RefusalFactory simple =
          new RefusalFactory(
              new RateLimitFields(HeaderDialect.NONE, at(0)),
              RefusalFormat.SIMPLE,
              Optional.empty());
      assertEquals(
          "{\"error\": \"Rate limit exceeded\"}",
          simple.of(decision, RefusalFactoryTest::absent).text());
    }
  }

  private static PolicyBuilder login() {
    return Policy.builder("login").window(Duration.ofMinutes(10));
  }

  private static String limit(PolicyBuilder policy) {
    Refusal refusal =
        write(HeaderDialect.BOTH, refused(policy.build(), Reason.QUOTA_EXCEEDED, 29_000_001));
    String detail = member(refusal, "detail");
    return detail.substring("Policy login admits ".length(), detail.length() - 1);
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
        DecisionCombiner.of(
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
    Refusal refusal = write(HeaderDialect.IETF, DecisionCombiner.of(List.of(watching, refused)));
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
    assertTrue(refusal.text().chars().allMatch(each -> each >= ' ' && each < 0x7f));
    assertEquals(refusal.text().length(), refusal.length());
  }

  @Test
  void takesNoAdmissionForARefusal() {
    Decision admission = admitted(BURST, 1, 1);
    RefusalFactory refusals = refusals(HeaderDialect.BOTH);
    assertThrows(
        IllegalArgumentException.class, () -> refusals.of(admission, RefusalFactoryTest::absent));
  }

  @Test
  void aSimpleDocumentHasTwoMembers() {
    RefusalFactory refusals = refusals(RefusalFormat.SIMPLE, Optional.empty());
    Refusal quota =
        refusals.of(refused(BURST, Reason.QUOTA_EXCEEDED, 30_000_000), RefusalFactoryTest::absent);
    assertEquals("application/json", quota.contentType());
    assertEquals("{\"error\": \"Rate limit exceeded\", \"retryAfter\": 30}", quota.text());
    assertEquals(429, quota.status());
    assertEquals("30", byName(quota.headers()).get("Retry-After"));
    Refusal capacity =
        refusals.of(refused(BURST, Reason.STORE_UNAVAILABLE, 500_000), RefusalFactoryTest::absent);
    assertEquals(503, capacity.status());
    assertEquals("Temporarily reduced capacity", member(capacity, "error"));
    Refusal bad = refusals.badRequest("too \"long\"");
    assertEquals("too \"long\"", member(bad, "error"));
    assertEquals("application/json", bad.contentType());
  }

  @Test
  void whoIsToldTheSameGetsTheSameObject() {
    RefusalFactory refusals = refusals(HeaderDialect.BOTH);
    Refusal first =
        refusals.of(refused(BURST, Reason.QUOTA_EXCEEDED, 29_100_000), RefusalFactoryTest::absent);
    assertSame(
        first,
        refusals.of(refused(BURST, Reason.QUOTA_EXCEEDED, 29_900_000), RefusalFactoryTest::absent));
    List<Decision> others =
        List.of(
            refused(BURST, Reason.QUOTA_EXCEEDED, 30_100_000),
            refused(BURST, Reason.REDUCED_CAPACITY, 29_100_000),
            refused(policy("burst", 101, Duration.ofMinutes(1)), QUOTA, 29_100_000),
            refused(policy("other", 100, Duration.ofMinutes(1)), QUOTA, 29_100_000),
            both(refused(BURST, QUOTA, 29_100_000), admitted(DAILY, 9, 1)),
            both(refused(BURST, QUOTA, 29_100_000), refused(DAILY, QUOTA, 29_100_000)));
    for (Decision each : others) {
      Refusal other = refusals.of(each, RefusalFactoryTest::absent);
      assertNotSame(first, other, each.toString());
      Refusal alone = refusals(HeaderDialect.BOTH).of(each, RefusalFactoryTest::absent);
      assertEquals(alone.text(), other.text());
      assertEquals(alone.headers(), other.headers());
      assertSame(other, refusals.of(each, RefusalFactoryTest::absent), each.toString());
    }
  }

  @Test
  void howManyAreRememberedHasABound() {
    RefusalFactory refusals = refusals(HeaderDialect.NONE);
    List<WeakReference<Refusal>> made = new ArrayList<>();
    for (int second = 1; second <= 5_000; second++) {
      Decision decision = refused(DAILY, QUOTA, second * 1_000_000L);
      made.add(new WeakReference<>(refusals.of(decision, RefusalFactoryTest::absent)));
      String text = refusals.of(decision, RefusalFactoryTest::absent).text();
      assertTrue(text.contains("\"retryAfter\":" + second + "}"), text);
    }
    System.gc();
    assertTrue(made.stream().filter(each -> each.get() != null).count() <= 512);
    assertNotNull(refusals); // or the collector would have been free to take all
  }

  @Test
  void theApplicationsOwnWordsAreSentAsUtf8ByLanguage() {
    AtomicInteger asked = new AtomicInteger();
    RefusalFactory refusals =
        refusals(
            RefusalFormat.PROBLEM,
            Optional.of(
                refusal -> {
                  asked.incrementAndGet();
                  return own(new RefusalText("text/plain", words(refusal)));
                }));
    Decision decision = refused(BURST, QUOTA, 30_000_000);
    Refusal german = refusals.of(decision, accepting("de-AT,de;q=0.9,en;q=0.5"));
    assertEquals("burst: zu viele Anfragen, bitte später (30 s)", german.text());
    assertEquals("text/plain;charset=UTF-8", german.contentType());
    assertEquals(german.text().getBytes(UTF_8).length, german.length());
    assertEquals(429, german.status());
    assertEquals("30", byName(german.headers()).get("Retry-After"));
    assertSame(german, refusals.of(decision, accepting("de-AT,de;q=0.9,en;q=0.5")));
    assertEquals(1, asked.get());
    assertEquals("burst: later (30 s)", refusals.of(decision, accepting("fr,en;q=0.1")).text());
    assertEquals("burst: later (30 s)", refusals.of(decision, RefusalFactoryTest::absent).text());
    for (String odd : List.of("", " ", ";;;q=x", "de-".repeat(100), "\u0000")) {
      assertEquals("burst: later (30 s)", refusals.of(decision, accepting(odd)).text(), odd);
    }
  }

  @Test
  void aCharsetThatLacksTheWordsGetsTheStandardDocument() {
    RefusalFactory refusals =
        refusals(
            RefusalFormat.SIMPLE,
            Optional.of(refusal -> own(new RefusalText("text/html; charset=utf-8", "später"))));
    Refusal refusal = refusals.of(refused(BURST, QUOTA, 1_000_000), RefusalFactoryTest::absent);
    assertEquals("text/html; charset=utf-8", refusal.contentType());
    assertEquals("Rate limit exceeded", member(refusal.inAscii(), "error"));
    assertEquals("application/json", refusal.inAscii().contentType());
    assertEquals("Policy burst admits 100 requests per minute.", refusal.detail());
    assertEquals(refusal.headers(), refusal.inAscii().headers());
  }

  @Test
  void wordsThatCouldNotBeHadAreAskedForAgain() {
    AtomicInteger asked = new AtomicInteger();
    RefusalFactory refusals =
        refusals(
            RefusalFormat.PROBLEM,
            Optional.of(
                refusal ->
                    asked.incrementAndGet() == 1
                        ? CustomRefusalBody.UNKNOWN
                        : own(new RefusalText("text/plain", "later"))));
    Decision first = refused(BURST, QUOTA, 30_000_000);
    assertEquals(
        "Rate limit exceeded", member(refusals.of(first, RefusalFactoryTest::absent), "error"));
    Decision second =
        RequestDecision.builder(BURST, Key.everybody())
            .outcome(Outcome.REFUSED, QUOTA)
            .remaining(1, 0)
            .after(31_000_000, 30_000_000)
            .build();
    assertEquals("later", refusals.of(second, RefusalFactoryTest::absent).text());
  }

  private static CustomRefusalBody own(RefusalText text) {
    return new CustomRefusalBody(Optional.of(text), true);
  }

  private static String words(RefusalInfo refusal) {
    List<Locale> offered = List.of(Locale.GERMAN, Locale.ENGLISH);
    boolean german = Locale.GERMAN.equals(Locale.lookup(refusal.languages(), offered));
    return refusal.policy().name()
        + (german ? ": zu viele Anfragen, bitte später (" : ": later (")
        + refusal.retryAfterSeconds()
        + " s)";
  }

  private static Function<String, List<String>> accepting(String languages) {
    return name -> name.equals("Accept-Language") ? List.of(languages) : List.of();
  }

  private static List<String> absent(String name) {
    return List.of();
  }

  private static Decision both(Decision one, Decision other) {
    return DecisionCombiner.of(List.of(one, other));
  }

  private static Refusal write(HeaderDialect dialect, Decision decision) {
    return refusals(dialect).of(decision, RefusalFactoryTest::absent);
  }

  private static RefusalFactory refusals(HeaderDialect dialect) {
    return new RefusalFactory(
        new RateLimitFields(dialect, at(0)), RefusalFormat.PROBLEM, Optional.empty());
  }

  private static RefusalFactory refusals(
      RefusalFormat format, Optional<CustomRefusalBody.Source> words) {
    return new RefusalFactory(new RateLimitFields(HeaderDialect.BOTH, at(0)), format, words);
  }

  private static <T> T member(Refusal refusal, String path) {
    return new JsonPath(refusal.text()).get(path);
  }
}
