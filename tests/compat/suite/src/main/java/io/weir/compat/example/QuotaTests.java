package io.weir.compat.example;

import static io.weir.compat.example.Api.times;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Tests monthly quotas, which callers can read. */
interface QuotaTests extends ServedExample {
  private Response quota(String key) {
    return api().get("/api/quota", "X-Api-Key", key);
  }

  private static void says(Response quota, long limit, long used, long rollover) {
    assertEquals(200, quota.statusCode(), quota::asString);
    assertEquals(limit, number(quota, "limit"));
    assertEquals(used, number(quota, "used"));
    assertEquals(rollover, number(quota, "rollover"));
    assertEquals(0, number(quota, "granted"));
    assertEquals(limit + rollover - used, number(quota, "available"));
  }

  private static long number(Response quota, String member) {
    return quota.<Number>path(member).longValue();
  }

  private static String digest(String key) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha.digest(key.getBytes(StandardCharsets.UTF_8));
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** Returns the end of the month in UTC. */
  private Instant end() {
    Instant now = Instant.ofEpochMilli(api().ticker().epochMicros() / 1_000);
    return now.atZone(ZoneOffset.UTC)
        .toLocalDate()
        .withDayOfMonth(1)
        .plusMonths(1)
        .atStartOfDay(ZoneOffset.UTC)
        .toInstant();
  }

  @Test
  default void quotaIsTakenAndTold() {
    Response first = quota("enterprise-1");
    says(first, 1_000_000, 1, 0);
    assertEquals(digest("enterprise-1"), first.path("userId"));
    assertEquals(end(), Instant.parse(first.path("resetsAt")));
    says(quota("enterprise-1"), 1_000_000, 2, 0);
  }

  @Test
  default void quotaIsRefusedOnceUsedUpUntilTheNextMonth() {
    times(100, 200, () -> quota("somebody"));
    Response refused = quota("somebody");
    Wire.refused(refused, "quota");
    api().pass(Duration.between(Instant.ofEpochMilli(api().ticker().epochMicros() / 1_000), end()));
    says(quota("somebody"), 100, 1, 0);
  }

  @Test
  default void quotaRollsOverWhatIsLeftUpToABound() {
    times(80, 200, () -> quota("free-1"));
    api().pass(Duration.between(Instant.ofEpochMilli(api().ticker().epochMicros() / 1_000), end()));
    api().passSeconds(11);
    says(quota("free-1"), 100, 1, 20);
  }

  @Test
  default void whoHasNoKeyHasNoQuota() {
    assertEquals(404, api().get("/api/quota").statusCode());
  }
}
