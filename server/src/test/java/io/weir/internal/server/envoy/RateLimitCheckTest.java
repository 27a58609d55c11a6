package io.weir.internal.server.envoy;

import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OK;
import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OVER_LIMIT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.UInt64Value;
import io.weir.RateLimiter;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.server.envoy.config.ReloadableConfig;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.internal.server.envoy.proto.RateLimitResponse;
import io.weir.internal.server.envoy.proto.RateLimitResponse.Code;
import io.weir.internal.server.envoy.proto.RateLimitResponse.DescriptorStatus;
import io.weir.internal.server.envoy.proto.RateLimitResponse.RateLimit.Unit;
import io.weir.internal.server.envoy.proto.RateLimitUnit;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests answers and charges, with a limiter in this process and a stopped clock. */
class RateLimitCheckTest {
  private static final String LIMITS =
      """
      domain: shop
      descriptors:
        - key: user
          rate_limit: {unit: minute, requests_per_unit: 3}
        - key: tenant
          rate_limit: {unit: hour, requests_per_unit: 5, name: tenants}
        - key: tokens
          rate_limit: {unit: day, requests_per_unit: 100}
        - key: banned
          rate_limit: {unit: day, requests_per_unit: 0}
        - key: free
          rate_limit: {unlimited: true}
        - key: watched
          shadow_mode: true
          rate_limit: {unit: minute, requests_per_unit: 1}
        - key: model
          value: small
          quota_mode: true
          metadata: {models: {small: "yes"}, at: 1}
          rate_limit: {unit: minute, requests_per_unit: 1}
        - key: model
          value: large
          quota_mode: true
          metadata: {models: {large: "yes"}, at: 2}
          rate_limit: {unit: minute, requests_per_unit: 2}
        - key: vip
          rate_limit:
            unit: hour
            requests_per_unit: 50
            replaces:
              - name: tenants
        - key: nothing
      """;

  @TempDir Path folder;
  private final FakeTicker ticker = new FakeTicker();
  private final RateLimiter limiter = RateLimiter.builder().ticker(ticker).build();
  private ReloadableConfig files;

  @BeforeEach
  void read() throws IOException {
    Files.writeString(folder.resolve("shop.yaml"), LIMITS);
    files = ReloadableConfig.open(List.of(folder), OnStoreFailure.DEFAULT);
  }

  @AfterEach
  void close() {
    limiter.close();
  }

  @Test
  void aLimitAdmitsAsManyAsItSaysAndTellsWhatIsLeft() {
    for (int left = 2; left >= 0; left--) {
      RateLimitResponse response = decide(request(of("user", "al")));
      assertEquals(OK, response.getOverallCode());
      DescriptorStatus status = response.getStatuses(0);
      assertEquals(OK, status.getCode());
      assertEquals(left, status.getLimitRemaining());
      assertEquals(60, status.getDurationUntilReset().getSeconds());
      assertEquals(3, status.getCurrentLimit().getRequestsPerUnit());
      assertEquals(Unit.MINUTE, status.getCurrentLimit().getUnit());
    }
    RateLimitResponse refused = decide(request(of("user", "al")));
    assertEquals(OVER_LIMIT, refused.getOverallCode());
    assertEquals(OVER_LIMIT, refused.getStatuses(0).getCode());
    assertEquals(0, refused.getStatuses(0).getLimitRemaining());
    assertEquals(OK, decide(request(of("user", "bo"))).getOverallCode());
    ticker.advance(Duration.ofMinutes(1));
    assertEquals(OK, decide(request(of("user", "al"))).getOverallCode());
  }

  @Test
  void anUnknownDomainAndWhatMatchesNothingAreAdmitted() {
    RateLimitRequest elsewhere = request(of("user", "al")).toBuilder().setDomain("bank").build();
    for (RateLimitRequest each :
        List.of(elsewhere, request(of("other", "al")), request(of("nothing", "al")))) {
      RateLimitResponse response = decide(each);
      assertEquals(OK, response.getOverallCode());
      assertEquals(OK, response.getStatuses(0).getCode());
      assertFalse(response.getStatuses(0).hasCurrentLimit());
    }
    assertEquals(3, left("user", "al"));
  }

  @Test
  void oneLimitThatIsOverRefusesAndNoneIsCharged() {
    take("user", "al", 3);
    RateLimitResponse response = decide(request(of("tenant", "acme"), of("user", "al")));
    assertEquals(OVER_LIMIT, response.getOverallCode());
    assertEquals(OK, response.getStatuses(0).getCode());
    assertEquals(5, response.getStatuses(0).getLimitRemaining());
    assertEquals(OVER_LIMIT, response.getStatuses(1).getCode());
    assertEquals(5, left("tenant", "acme"));
  }

  @Test
  void statusesStandInTheOrderOfTheDescriptors() {
    RateLimitResponse response =
        decide(request(of("free", "x"), of("user", "al"), of("other", "x"), of("tenant", "acme")));
    assertEquals(4, response.getStatusesCount());
    assertEquals(-1, response.getStatuses(0).getLimitRemaining());
    assertFalse(response.getStatuses(0).hasCurrentLimit());
    assertEquals(2, response.getStatuses(1).getLimitRemaining());
    assertEquals(OK, response.getStatuses(2).getCode());
    assertEquals(4, response.getStatuses(3).getLimitRemaining());
    assertEquals("tenants", response.getStatuses(3).getCurrentLimit().getName());
  }

  @Test
  void theSameDescriptorTwiceTakesTwice() {
    RateLimitResponse response = decide(request(of("user", "al"), of("user", "al")));
    assertEquals(OK, response.getOverallCode());
    assertEquals(1, left("user", "al"));
    assertEquals(OVER_LIMIT, decide(request(of("user", "al"), of("user", "al"))).getOverallCode());
    assertEquals(1, left("user", "al"));
  }

  @Test
  void aLimitOfNoRequestsRefusesAllAndChargesNothing() {
    RateLimitResponse response = decide(request(of("user", "al"), of("banned", "x")));
    assertEquals(OVER_LIMIT, response.getOverallCode());
    assertEquals(OK, response.getStatuses(0).getCode());
    assertEquals(3, response.getStatuses(0).getLimitRemaining());
    assertEquals(OVER_LIMIT, response.getStatuses(1).getCode());
    assertEquals(3, left("user", "al"));
    assertEquals(OK, decide(request(hits(of("banned", "x"), 0))).getOverallCode());
  }

  @Test
  void hitsOfTheRequestHoldForDescriptorsWithoutTheirOwn() {
    RateLimitRequest three =
        request(of("tenant", "acme"), hits(of("user", "al"), 2)).toBuilder()
            .setHitsAddend(3)
            .build();
    assertEquals(OK, decide(three).getOverallCode());
    assertEquals(2, left("tenant", "acme"));
    assertEquals(1, left("user", "al"));
  }

  @Test
  void noHitsLookWithoutCounting() {
    take("user", "al", 2);
    for (int i = 0; i < 3; i++) {
      assertEquals(1, left("user", "al"));
    }
  }

  @Test
  void aLookIsOkAtExactlyTheLimitAndOverBeyondIt() {
    take("tokens", "al", 100);
    assertEquals(OK, look("tokens", "al").getOverallCode());
    assertEquals(0, left("tokens", "al"));
    decide(request(hits(of("tokens", "al"), 2)));
    assertEquals(OVER_LIMIT, look("tokens", "al").getOverallCode());
    ticker.advance(Duration.ofDays(1));
    assertEquals(OK, look("tokens", "al").getOverallCode());
  }

  @Test
  void aLookThatIsOverChargesNothingElse() {
    decide(request(hits(of("tokens", "al"), 101)));
    RateLimitResponse response = decide(request(hits(of("tokens", "al"), 0), of("user", "al")));
    assertEquals(OVER_LIMIT, response.getOverallCode());
    assertEquals(OK, response.getStatuses(1).getCode());
    assertEquals(3, response.getStatuses(1).getLimitRemaining());
    assertEquals(3, left("user", "al"));
  }

  @Test
  void usageThatDoesNotFitIsChargedAllTheSame() {
    take("tokens", "al", 60);
    RateLimitResponse response = decide(request(hits(of("tokens", "al"), 50)));
    assertEquals(OVER_LIMIT, response.getOverallCode());
    assertEquals(OVER_LIMIT, look("tokens", "al").getOverallCode());
    assertEquals(OVER_LIMIT, decide(request(of("tokens", "al"))).getOverallCode());
  }

  @Test
  void usageLargerThanTheLimitCounts() {
    RateLimitResponse response = decide(request(hits(of("tokens", "al"), 5_000_000_000L)));
    assertEquals(OVER_LIMIT, response.getOverallCode());
    assertEquals(OVER_LIMIT, decide(request(of("tokens", "al"))).getOverallCode());
    decide(request(hits(of("tokens", "bo"), -1)));
    assertEquals(OVER_LIMIT, decide(request(of("tokens", "bo"))).getOverallCode());
  }

  @Test
  void usageThatDoesNotFitIsReportedAsUsed() {
    RateLimitResponse response = decide(request(hits(of("user", "al"), 5)));
    assertEquals(OVER_LIMIT, response.getOverallCode());
    assertEquals(0, response.getStatuses(0).getLimitRemaining());
    RateLimitResponse watched = decide(request(hits(of("watched", "x"), 2)));
    assertEquals(OK, watched.getOverallCode());
    assertEquals(0, watched.getStatuses(0).getLimitRemaining());
  }

  /** Envoy passes the field on to its client, beside the reset of the window. */
  @Test
  void whatIsNeverAdmittedIsSaidSo() {
    assertEquals(List.of("x-weir-never-admitted: true"), fields(hits(of("user", "al"), 4)));
    assertEquals(List.of("x-weir-never-admitted: true"), fields(of("banned", "x")));
    assertEquals(List.of(), fields(hits(of("tokens", "al"), 100)), "admitted");
    assertEquals(List.of(), fields(of("tokens", "al")), "refused until the window ends");
    assertEquals(List.of(), fields(hits(of("watched", "x"), 2)), "in shadow mode");
    assertEquals(
        List.of("x-weir-never-admitted: true"),
        fields(of("tokens", "al"), hits(of("tenant", "acme"), 6)),
        "one of them is never admitted, the other later");
  }

  @Test
  void whatAllQuotasTogetherNeverAdmitIsSaidSo() {
    RateLimitDescriptor small = hits(of("model", "small"), 2);
    assertEquals(List.of(), fields(small, hits(of("model", "large"), 1)), "the other has room");
    assertEquals(
        List.of("x-weir-never-admitted: true"), fields(small, hits(of("model", "large"), 3)));
  }

  /** Also where another descriptor has refused before, so that the others only peek. */
  @Test
  void whatIsNeverAdmittedIsSaidSoOfPeeks() {
    decide(request(hits(of("tokens", "al"), 101)));
    assertEquals(
        List.of("x-weir-never-admitted: true"),
        fields(hits(of("tokens", "al"), 0), hits(of("user", "al"), 4)));
    assertEquals(List.of(), fields(hits(of("tokens", "al"), 0), hits(of("user", "bo"), 3)));
  }

  private List<String> fields(RateLimitDescriptor... descriptors) {
    return decide(request(descriptors)).getResponseHeadersToAddList().stream()
        .map(each -> each.getKey() + ": " + each.getValue())
        .toList();
  }

  @Test
  void usageThatFitsIsReportedAsUsedWhereAnotherDescriptorIsOver() {
    take("user", "al", 3);
    RateLimitResponse response = decide(request(of("user", "al"), hits(of("tokens", "al"), 30)));
    assertEquals(70, response.getStatuses(1).getLimitRemaining());
    assertEquals(70, left("tokens", "al"));
  }

  @Test
  void whatAQuotaRefusesIsReportedAsNotTaken() {
    take("model", "small", 1);
    RateLimitResponse response = decide(request(of("model", "small"), of("user", "al")));
    assertEquals(OVER_LIMIT, response.getOverallCode());
    assertEquals(OK, response.getStatuses(1).getCode());
    assertEquals(3, response.getStatuses(1).getLimitRemaining());
    assertEquals(3, left("user", "al"));
    RateLimitResponse used = decide(request(of("model", "small"), hits(of("user", "al"), 2)));
    assertEquals(1, used.getStatuses(1).getLimitRemaining(), "but usage that happened is");
    assertEquals(1, left("user", "al"));
  }

  @Test
  void aLimitThatNothingWasTakenFromLastsForTheRestOfItsWindow() {
    ticker.advance(Duration.ofSeconds(20));
    assertEquals(40, seconds(look("user", "al"), 0));
    assertEquals(3_580, seconds(look("tenant", "acme"), 0));
    assertEquals(86_380, seconds(decide(request(of("banned", "x"))), 0));
    take("user", "bo", 3);
    RateLimitResponse refused = decide(request(of("user", "bo"), of("tenant", "acme")));
    assertEquals(40, seconds(refused, 0));
    assertEquals(3_580, seconds(refused, 1));
    assertEquals(40, seconds(decide(request(hits(of("user", "cy"), 9))), 0));
    assertEquals(0, seconds(decide(request(of("free", "x"))), 0));
  }

  private static long seconds(RateLimitResponse response, int descriptor) {
    return response.getStatuses(descriptor).getDurationUntilReset().getSeconds();
  }

  @Test
  void aSingleHitThatDoesNotFitIsNoDebt() {
    take("tokens", "al", 100);
    for (int i = 0; i < 3; i++) {
      assertEquals(OVER_LIMIT, decide(request(of("tokens", "al"))).getOverallCode());
    }
    assertEquals(OK, look("tokens", "al").getOverallCode());
  }

  @Test
  void usageCountsAlsoWhereAnotherDescriptorIsOver() {
    take("user", "al", 3);
    decide(request(of("user", "al"), hits(of("tokens", "al"), 30)));
    assertEquals(70, left("tokens", "al"));
    assertEquals(OK, look("user", "al").getOverallCode());
  }

  @Test
  void shadowModeCountsAndRefusesNobody() {
    decide(request(of("watched", "x")));
    RateLimitResponse response = decide(request(of("watched", "x"), of("user", "al")));
    assertEquals(OK, response.getOverallCode());
    assertEquals(OK, response.getStatuses(0).getCode());
    assertEquals(0, response.getStatuses(0).getLimitRemaining());
    assertEquals(2, left("user", "al"));
  }

  @Test
  void quotaModeRefusesOnlyIfAllQuotasAreOver() {
    RateLimitDescriptor small = of("model", "small");
    RateLimitDescriptor large = of("model", "large");
    assertEquals(OK, decide(request(small, large)).getOverallCode());
    RateLimitResponse second = decide(request(small, large));
    assertEquals(OK, second.getOverallCode());
    assertEquals(OVER_LIMIT, second.getStatuses(0).getCode());
    assertEquals(OK, second.getStatuses(1).getCode());
    RateLimitResponse third = decide(request(small, large, of("user", "al")));
    assertEquals(OVER_LIMIT, third.getOverallCode());
    assertEquals(OK, third.getStatuses(2).getCode());
    assertEquals(3, left("user", "al"));
    assertEquals(OVER_LIMIT, decide(request(small)).getOverallCode());
  }

  @Test
  void metadataOfWhatIsNotUsedUpIsToldTogether() {
    RateLimitResponse both = decide(request(of("model", "small"), of("model", "large")));
    var metadata =
        both.getDynamicMetadata().getFieldsOrThrow("metadata").getStructValue().getFieldsMap();
    assertEquals(2, metadata.get("models").getStructValue().getFieldsCount());
    assertEquals(1, metadata.get("at").getNumberValue());
    assertEquals("shop", both.getDynamicMetadata().getFieldsOrThrow("domain").getStringValue());
    RateLimitResponse one = decide(request(of("model", "small"), of("model", "large")));
    metadata =
        one.getDynamicMetadata().getFieldsOrThrow("metadata").getStructValue().getFieldsMap();
    assertFalse(metadata.get("models").getStructValue().containsFields("small"));
    assertEquals(2, metadata.get("at").getNumberValue());
    assertFalse(decide(request(of("user", "al"))).hasDynamicMetadata());
  }

  @Test
  void aLimitThatIsReplacedDoesNotCount() {
    RateLimitResponse response = decide(request(of("tenant", "acme"), of("vip", "acme")));
    assertFalse(response.getStatuses(0).hasCurrentLimit());
    assertEquals(49, response.getStatuses(1).getLimitRemaining());
    assertEquals(5, left("tenant", "acme"));
  }

  @Test
  void aLimitOfTheRequestGoesBeforeTheFileAndCountsByItself() {
    RateLimitDescriptor own = override(of("user", "al"), 1, RateLimitUnit.MINUTE);
    assertEquals(OK, decide(request(own)).getOverallCode());
    RateLimitResponse refused = decide(request(own));
    assertEquals(OVER_LIMIT, refused.getOverallCode());
    assertEquals(1, refused.getStatuses(0).getCurrentLimit().getRequestsPerUnit());
    assertEquals(3, left("user", "al"));
    RateLimitDescriptor raised = override(of("user", "al"), 2, RateLimitUnit.MINUTE);
    assertEquals(OK, decide(request(raised)).getOverallCode());
    assertEquals(OVER_LIMIT, decide(request(raised)).getOverallCode());
    RateLimitDescriptor nothing = override(of("user", "bo"), 0, RateLimitUnit.MINUTE);
    assertEquals(OVER_LIMIT, decide(request(nothing)).getOverallCode());
  }

  @Test
  void limitsOfRequestsAreCountedApartByDomain() throws IOException {
    Files.writeString(folder.resolve("bank.yaml"), "domain: bank");
    files.refresh();
    RateLimitDescriptor own = override(of("user", "al"), 1, RateLimitUnit.DAY);
    assertEquals(OK, decide(request(own)).getOverallCode());
    RateLimitRequest other = request(own).toBuilder().setDomain("bank").build();
    assertEquals(OK, decide(other).getOverallCode());
    assertEquals(OVER_LIMIT, decide(other).getOverallCode());
  }

  @Test
  void aChangedLimitHoldsForWhatWasCounted() throws IOException {
    take("user", "al", 3);
    rewrite("requests_per_unit: 3}", "requests_per_unit: 4}");
    assertEquals(OK, decide(request(of("user", "al"))).getOverallCode());
    assertEquals(OVER_LIMIT, decide(request(of("user", "al"))).getOverallCode());
    rewrite("requests_per_unit: 4}", "requests_per_unit: 2}");
    assertEquals(OVER_LIMIT, decide(request(of("user", "al"))).getOverallCode());
  }

  @Test
  void aMonthIsThirtyDaysAndAWeekSeven() {
    RateLimitDescriptor month = override(of("user", "al"), 1, RateLimitUnit.MONTH);
    long seconds = decide(request(month)).getStatuses(0).getDurationUntilReset().getSeconds();
    long now = FakeTicker.START.getEpochSecond();
    assertEquals(2_592_000 - now % 2_592_000, seconds);
    RateLimitDescriptor.Builder week = of("user", "al").toBuilder();
    week.getLimitBuilder().setRequestsPerUnit(1).setUnitValue(7);
    DescriptorStatus status = decide(request(week.build())).getStatuses(0);
    assertEquals(604_800 - now % 604_800, status.getDurationUntilReset().getSeconds());
    assertEquals(Unit.WEEK, status.getCurrentLimit().getUnit());
  }

  @Test
  void whatIsWrongWithARequestIsSaid() {
    assertMistake(RateLimitRequest.getDefaultInstance(), "domain must not be empty");
    assertMistake(request(), "descriptors must be 1 to 1,000, not 0");
    assertMistake(
        request(of("user", "al"), override(of("user", "al"), 1, RateLimitUnit.UNKNOWN)),
        "descriptors[1].limit.unit isn't a unit of time");
    RateLimitDescriptor refund = of("user", "al").toBuilder().setIsNegativeHits(true).build();
    assertMistake(request(refund), "descriptors[0].is_negative_hits: hits can't be given back");
  }

  private static void assertMistake(RateLimitRequest request, String expected) {
    var mistake = RequestValidator.mistake(request);
    assertNotNull(mistake);
    assertEquals(expected, mistake.getDescription());
  }

  private void rewrite(String from, String to) throws IOException {
    Path file = folder.resolve("shop.yaml");
    String text = Files.readString(file);
    assertTrue(text.contains(from));
    Files.writeString(file, text.replace(from, to));
    files.refresh();
  }

  private void take(String key, String value, int times) {
    for (int i = 0; i < times; i++) {
      Code code = decide(request(of(key, value))).getOverallCode();
      assertEquals(OK, code);
    }
  }

  private RateLimitResponse look(String key, String value) {
    return decide(request(hits(of(key, value), 0)));
  }

  private int left(String key, String value) {
    return look(key, value).getStatuses(0).getLimitRemaining();
  }

  private RateLimitResponse decide(RateLimitRequest request) {
    return new RateLimitCheck(
            limiter,
            request,
            files.current().domain(request.getDomain()),
            () -> OnStoreFailure.LOCAL,
            ticker)
        .decide()
        .toCompletableFuture()
        .join();
  }

  private static RateLimitRequest request(RateLimitDescriptor... descriptors) {
    return RateLimitRequest.newBuilder()
        .setDomain("shop")
        .addAllDescriptors(List.of(descriptors))
        .build();
  }

  private static RateLimitDescriptor of(String key, String value) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    descriptor.addEntriesBuilder().setKey(key).setValue(value);
    return descriptor.build();
  }

  private static RateLimitDescriptor hits(RateLimitDescriptor descriptor, long hits) {
    return descriptor.toBuilder().setHitsAddend(UInt64Value.of(hits)).build();
  }

  private static RateLimitDescriptor override(
      RateLimitDescriptor descriptor, int limit, RateLimitUnit unit) {
    RateLimitDescriptor.Builder own = descriptor.toBuilder();
    own.getLimitBuilder().setRequestsPerUnit(limit).setUnit(unit);
    return own.build();
  }
}
