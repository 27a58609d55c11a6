package io.weir.internal.http;

import static io.weir.internal.http.WireFixture.EPOCH_SECONDS;
import static io.weir.internal.http.WireFixture.admitted;
import static io.weir.internal.http.WireFixture.at;
import static io.weir.internal.http.WireFixture.byName;
import static io.weir.internal.http.WireFixture.policy;
import static io.weir.internal.http.WireFixture.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.adapter.HeaderField;
import io.weir.internal.permits.DecisionCombiner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the older dialects, and how clients parse each dialect. */
class HeaderDialectTest {
  private static final Policy TEN = policy("ten", 10, Duration.ofSeconds(10));
  private static final Policy HOURLY = policy("hourly", 500, Duration.ofHours(1));
  private static final Decision NINE_LEFT = admitted(TEN, 9, 10_000_001);

  @Test
  void spellsDraft6() {
    assertEquals(
        Map.of(
            "RateLimit-Policy", "10;w=10",
            "RateLimit-Limit", "10",
            "RateLimit-Remaining", "9",
            "RateLimit-Reset", "11"),
        write(HeaderDialect.DRAFT_6, NINE_LEFT));
  }

  @Test
  void spellsDraft7() {
    assertEquals(
        Map.of("RateLimit-Policy", "10;w=10", "RateLimit", "limit=10, remaining=9, reset=11"),
        write(HeaderDialect.DRAFT_7, NINE_LEFT));
  }

  @Test
  void tellsClientsThatCountFromNowHowManySecondsToWait() {
    assertEquals(
        Map.of("X-RateLimit-Limit", "10", "X-RateLimit-Remaining", "9", "X-RateLimit-Reset", "11"),
        write(HeaderDialect.X_RATELIMIT_SECONDS, NINE_LEFT));
  }

  @Test
  void draft6IsItemsOfStructuredFields() {
    Map<String, String> fields = write(HeaderDialect.DRAFT_6, NINE_LEFT);
    assertEquals(List.of("10 w=10"), quotas(fields));
    for (var each : Map.of("Limit", 10L, "Remaining", 9L, "Reset", 11L).entrySet()) {
      assertEquals(
          each.getValue(), Parser.parseItem(fields.get("RateLimit-" + each.getKey())).get());
    }
  }

  @Test
  void draft7IsADictionaryOfStructuredFields() {
    Map<String, String> fields = write(HeaderDialect.DRAFT_7, NINE_LEFT);
    assertEquals(List.of("10 w=10"), quotas(fields));
    Map<String, Object> members =
        Parser.parseDictionary(fields.get("RateLimit")).get().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, each -> each.getValue().get()));
    assertEquals(Map.of("limit", 10L, "remaining", 9L, "reset", 11L), members);
  }

  @ParameterizedTest
  @EnumSource(names = {"DRAFT_6", "DRAFT_7"})
  void theOlderDraftsSpeakForTheClosestPolicyOnly(HeaderDialect dialect) {
    Decision both = DecisionCombiner.of(List.of(admitted(HOURLY, 480, 5_000_000), NINE_LEFT));
    assertEquals(write(dialect, NINE_LEFT), write(dialect, both));
  }

  @ParameterizedTest
  @CsvSource({"10, 1", "999, 1", "1000, 1", "1001, 2", "60000, 60"})
  void theOlderDraftsRequireAWindowAndRoundItUp(long millis, long seconds) {
    Policy policy = policy("p", 3, Duration.ofMillis(millis));
    for (HeaderDialect each : List.of(HeaderDialect.DRAFT_6, HeaderDialect.DRAFT_7)) {
      Map<String, String> fields = write(each, admitted(policy, 1, 0));
      assertEquals("3;w=" + seconds, fields.get("RateLimit-Policy"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"DRAFT_6", "DRAFT_7", "X_RATELIMIT", "X_RATELIMIT_SECONDS"})
  void javaScriptClientsReadThem(HeaderDialect dialect) {
    assertEquals(
        Optional.of(new JavaScriptReader(10, 9, EPOCH_SECONDS + 11)),
        JavaScriptReader.read(write(dialect, NINE_LEFT), EPOCH_SECONDS));
    Map<String, String> refusal =
        byName(
            new RefusalFactory(
                    new RateLimitFields(dialect, at(EPOCH_SECONDS * 1_000_000)),
                    RefusalFormat.PROBLEM,
                    Optional.empty())
                .of(refused(TEN, Reason.QUOTA_EXCEEDED, 3_000_000), any -> List.of())
                .headers());
    assertEquals(
        Optional.of(new JavaScriptReader(10, 0, EPOCH_SECONDS + 3)),
        JavaScriptReader.read(refusal, EPOCH_SECONDS));
    assertEquals("3", refusal.get("Retry-After"));
  }

  /** The reason for the other dialects: applications with such clients set one of them. */
  @ParameterizedTest
  @EnumSource(names = {"IETF", "BOTH", "NONE"})
  void javaScriptClientsDontReadTheseYet(HeaderDialect dialect) {
    assertEquals(Optional.empty(), JavaScriptReader.read(write(dialect, NINE_LEFT), EPOCH_SECONDS));
  }

  @ParameterizedTest
  @CsvSource({
    "IETF, 'RateLimit-Policy, RateLimit'",
    "X_RATELIMIT, 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'",
    "X_RATELIMIT_SECONDS, 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'",
    "DRAFT_6, 'RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset'",
    "DRAFT_7, 'RateLimit-Policy, RateLimit'",
    "BOTH, 'RateLimit-Policy, RateLimit, X-RateLimit-Limit, X-RateLimit-Remaining,"
        + " X-RateLimit-Reset'",
    "NONE, ''"
  })
  void writesTheFieldsOfTheDialectOnlyInTheirOrder(HeaderDialect dialect, String names) {
    List<HeaderField> fields = writer(dialect).of(NINE_LEFT);
    assertEquals(names, fields.stream().map(HeaderField::name).collect(Collectors.joining(", ")));
  }

  private static Map<String, String> write(HeaderDialect dialect, Decision decision) {
    return byName(writer(dialect).of(decision));
  }

  private static RateLimitFields writer(HeaderDialect dialect) {
    return new RateLimitFields(dialect, at(EPOCH_SECONDS * 1_000_000));
  }

  /** The policies of {@code RateLimit-Policy} as an independent parser reads them. */
  private static List<String> quotas(Map<String, String> fields) {
    return Parser.parseList(fields.get("RateLimit-Policy")).get().stream()
        .map(each -> each.get() + " w=" + each.getParams().get("w").get())
        .toList();
  }
}
