package io.weir.compat.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * Gives a server rules, users and four weeks of a small shop: by day more than by night, less on
 * weekends, and with a caller who hammers.
 */
final class PastUsage {
  private static final int DAYS = 28;
  private static final List<String> USERS =
      List.of("alice", "bob", "carol", "mobile-app", "partner-7", "nightly-import");
  private static final String ROW =
      "(user_id, endpoint, starts_at, requests, refused, permits, peak_minute)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?)";

  private PastUsage() {}

  static void write(ConsoleServer server) {
    server.rule("free", "/api/posts", 5, "ENFORCED");
    server.rule("free", "/api/search", 3, "SHADOW");
    server.rule("gold", "/api/posts", 100, "DRAFT");
    server.rule(
        new ObjectMapper()
            .createObjectNode()
            .put("tier", "*")
            .put("endpointPattern", "/api/upload")
            .put("limitCount", 10)
            .put("windowSeconds", 60)
            .put("mode", "SOFT")
            .put("exceedBy", 500)
            .put("state", "ENFORCED"));
    server.rule("gold", "/api/search", 600, "ENFORCED");
    server.rule("*", "/api/search", 40, "ENFORCED");
    server.put("PUT", ConsoleServer.ADMIN + "/user?userId=partner-7", "{\"tier\": \"gold\"}");
    Instant now = Instant.now();
    Instant hour = now.truncatedTo(ChronoUnit.HOURS);
    for (int user = 0; user < USERS.size(); user++) {
      long requests = 0;
      for (String endpoint : List.of("/api/posts", "/api/search")) {
        requests += write(server, USERS.get(user), endpoint, hour, 400 / (user + 1));
      }
      server.sql(
          "INSERT INTO weir.usage_total (user_id, starts_at, requests, refused, permits, peak_minute)"
              + " VALUES (?, ?, ?, 0, ?, 40)",
          USERS.get(user),
          hour.minus(Duration.ofDays(DAYS)).atOffset(ZoneOffset.UTC),
          requests,
          requests);
    }
    outcomes(server, hour);
    server.sql(
        "INSERT INTO weir.anomalies (user_id, endpoint, score, action, reason, since, until) VALUES"
            + " ('nightly-import', '/api/search', 7.3, 'THROTTLE', '7.3 times as often as in the"
            + " last two weeks', ?, ?)",
        now.minus(Duration.ofMinutes(12)).atOffset(ZoneOffset.UTC),
        now.plus(Duration.ofHours(1)).atOffset(ZoneOffset.UTC));
    server.sql(
        "INSERT INTO weir.tier_upgrade_requests (user_id, current_tier, requested_tier, reason, status,"
            + " pending_of, created_at) VALUES ('carol', 'free', 'gold', 'Our shop opens in two"
            + " more countries.', 'PENDING', 'carol', ?)",
        now.minus(Duration.ofHours(3)).atOffset(ZoneOffset.UTC));
    server.sql(
        "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, window_seconds, name,"
            + " state, algorithm) VALUES ('free', '/api/odd', 10, 60, 'odd', 'ENFORCED',"
            + " 'GUESSED')");
  }

  private static int level(Instant at) {
    int hour = at.atOffset(ZoneOffset.UTC).getHour();
    int day = at.atOffset(ZoneOffset.UTC).getDayOfWeek().getValue();
    int byDay = 20 + 80 * Math.max(0, 12 - Math.abs(13 - hour)) / 12;
    return day > 5 ? byDay / 2 : byDay;
  }

  /** Returns the number of requests. */
  private static long write(
      ConsoleServer server, String user, String endpoint, Instant hour, int most) {
    long all = 0;
    for (int day = 0; day < DAYS; day++) {
      long requests = 0;
      long refused = 0;
      Instant start = hour.truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(day));
      for (int i = 0; i < 24; i++) {
        Instant at = start.plus(Duration.ofHours(i));
        if (!at.isBefore(hour)) {
          break;
        }
        long some = (long) most * level(at) / 100 + (i * 7 + day * 3) % 5;
        long over = Math.max(0, some - 250) / 2;
        requests += some;
        refused += over;
        if (day < 8) { // as long as pages show hours
          row(server, "usage_hourly", user, endpoint, at, some, over);
        }
      }
      row(server, "usage_daily", user, endpoint, start, requests, refused);
      all += requests;
    }
    return all;
  }

  private static void row(
      ConsoleServer server,
      String table,
      String user,
      String endpoint,
      Instant at,
      long requests,
      long refused) {
    server.sql(
        "INSERT INTO weir." + table + " " + ROW,
        user,
        endpoint,
        at.atOffset(ZoneOffset.UTC),
        requests,
        refused,
        requests - refused,
        requests / 20);
  }

  private static void outcomes(ConsoleServer server, Instant hour) {
    List<String> policies =
        server.get("/policies").findValuesAsText("name").stream().distinct().toList();
    for (int i = 1; i < 48; i++) {
      Instant at = hour.minus(Duration.ofHours(i));
      for (String policy : policies) {
        boolean isShadow = policy.contains("shadow");
        long admitted = 9L * level(at) + i % 7;
        long over = Math.max(0, admitted - 700) / 2;
        server.sql(
            "INSERT INTO weir.weir_outcomes_hourly (policy, starts_at, admitted, refused, soft,"
                + " shadow_refused, degraded) VALUES (?, ?, ?, ?, 0, ?, 0)",
            policy,
            at.atOffset(ZoneOffset.UTC),
            admitted,
            isShadow ? 0 : over,
            isShadow ? over : 0);
      }
    }
  }
}
