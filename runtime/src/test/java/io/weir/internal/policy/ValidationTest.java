package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.adapter.EndpointType;
import io.weir.annotation.Algorithm;
import io.weir.annotation.BanScope;
import io.weir.annotation.By;
import io.weir.annotation.ClearOn;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.annotation.Unlimited;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValidationTest {
  public static class Wrong {
    @RateLimit(limit = 0, window = 1)
    public void limit0() {}

    @RateLimit(limit = 1_000_000_001, window = 1)
    public void limitHuge() {}

    @RateLimit(limit = 1, window = 9, unit = ChronoUnit.MILLIS)
    public void window9() {}

    @RateLimit(limit = 1, window = -1)
    public void windowNegative() {}

    @RateLimit(limit = 1, window = 367, unit = ChronoUnit.DAYS)
    public void window367() {}

    @RateLimit(limit = 1, window = 1, unit = ChronoUnit.DECADES)
    public void decades() {}

    @RateLimit(limit = 1, window = 2, unit = ChronoUnit.WEEKS)
    public void weeks2() {}

    @RateLimit(limit = 1, window = 5, unit = ChronoUnit.MONTHS)
    public void months5() {}

    @RateLimit(limit = 1, window = 2, unit = ChronoUnit.DAYS, zone = "UTC")
    public void days2() {}

    @RateLimit(limit = 1, window = 1, unit = ChronoUnit.MONTHS, zone = "Europe/Bärlin")
    public void zoneUnknown() {}

    @RateLimit(limit = 1, window = 1, unit = ChronoUnit.HOURS, zone = "UTC")
    public void zoneOfHours() {}

    @RateLimit(
        limit = 1,
        window = 1,
        unit = ChronoUnit.MONTHS,
        algorithm = Algorithm.SLIDING_WINDOW)
    public void slidingMonth() {}

    @RateLimit(
        limit = 1,
        window = 1,
        algorithm = {Algorithm.SLIDING_WINDOW, Algorithm.FIXED_WINDOW})
    public void algorithms() {}

    @RateLimit(limit = 5, window = 1, refill = 6, algorithm = Algorithm.TOKEN_BUCKET)
    public void refillAbove() {}

    @RateLimit(
        limit = 5,
        window = 1,
        refill = 3,
        algorithm = Algorithm.TOKEN_BUCKET,
        tiers = @Tier(name = "low", limit = 2, refill = 3))
    public void refillTier() {}

    @RateLimit(
        limit = 5,
        window = 1,
        algorithm = Algorithm.TOKEN_BUCKET,
        tiers = @Tier(name = "low", limit = 2, refill = 1))
    public void refillTierAlone() {}

    @RateLimit(limit = 5, window = 1, refill = -1, algorithm = Algorithm.TOKEN_BUCKET)
    public void refillNegative() {}

    @RateLimit(limit = 5, window = 1, refill = 1)
    public void refillOfWindow() {}

    @RateLimit(limit = 5, window = 1, refill = 1, burst = 2, algorithm = Algorithm.TOKEN_BUCKET)
    public void refillAndBurst() {}

    @RateLimit(
        limit = 5,
        window = 60,
        by = By.IP,
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS)
    public void clearedAddress() {}

    @RateLimit(limit = 5, window = 60, by = By.KEY, key = "query:a", clearOn = ClearOn.SUCCESS)
    public void clearedAll() {}

    @RateLimit(
        limit = 5,
        window = 60,
        by = By.KEY,
        key = "query:a",
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS,
        algorithm = Algorithm.FIXED_WINDOW)
    public void clearedFixed() {}

    @RateLimit(
        limit = 1_001,
        window = 60,
        by = By.KEY,
        key = "query:a",
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS)
    public void clearedMany() {}

    @RateLimit(
        limit = 100,
        window = 60,
        by = By.KEY,
        key = "query:a",
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS,
        mode = Mode.SOFT)
    public void clearedSoft() {}

    @RateLimit(limit = 5, window = 1, strict = true, algorithm = Algorithm.TOKEN_BUCKET)
    public void strictAlone() {}

    @RateLimit(
        limit = 50,
        window = 1,
        refill = 1,
        strict = true,
        mode = Mode.SOFT,
        algorithm = Algorithm.TOKEN_BUCKET)
    public void strictSoft() {}

    // So many days that their milliseconds, cut to a long, look like one day.
    @RateLimit(limit = 1, window = (1L << 54) + 1, unit = ChronoUnit.DAYS)
    public void windowOverflow() {}

    @RateLimit(
        limit = 1,
        window = 1,
        by = {})
    public void byNobody() {}

    @RateLimit(
        limit = 1,
        window = 1,
        by = {By.IP, By.IP})
    public void byTwice() {}

    @RateLimit(
        limit = 1,
        window = 1,
        by = {By.ENDPOINT, By.IP})
    public void endpointAndIp() {}

    @RateLimit(limit = 1, window = 1, by = By.KEY)
    public void keyWithout() {}

    @RateLimit(limit = 1, window = 1, key = "header:X")
    public void keyUnread() {}

    @RateLimit(limit = 1, window = 1, by = By.KEY, key = "haeder:X")
    public void keyUnknown() {}

    @RateLimit(limit = 1, window = 1, by = By.KEY, key = "param:phone")
    public void keyParam() {}

    @RateLimit(limit = 9, window = 1, mode = Mode.SOFT)
    public void softNothing() {}

    @RateLimit(limit = 10, window = 1, mode = Mode.SOFT, tiers = @Tier(name = "low", limit = 9))
    public void softTier() {}

    @RateLimit(limit = 10, window = 1, mode = Mode.SOFT, algorithm = Algorithm.LEAKY_BUCKET)
    public void softBurst() {}

    @RateLimit(limit = 10, window = 1, exceedBy = 1001)
    public void exceedHuge() {}

    @RateLimit(limit = 10, window = 1, exceedBy = -1)
    public void exceedNegative() {}

    @RateLimit(limit = 10, window = 1, overshoot = 101)
    public void overshoot() {}

    @RateLimit(limit = 10, window = 1, burst = 5)
    public void burstOfWindow() {}

    @RateLimit(limit = 10, window = 1, algorithm = Algorithm.TOKEN_BUCKET, burst = -1)
    public void burstNegative() {}

    @RateLimit(limit = 10, window = 1, cost = 0)
    public void cost0() {}

    @RateLimit(limit = 10, window = 1, cost = 11)
    public void costAbove() {}

    @RateLimit(limit = 10, window = 1, cost = 5, tiers = @Tier(name = "low", limit = 4))
    public void costTier() {}

    @RateLimit(limit = 10, window = 1, cost = 2, algorithm = Algorithm.LEAKY_BUCKET)
    public void costLeaky() {}

    @RateLimit(limit = 10, window = 1, cost = 9, algorithm = Algorithm.TOKEN_BUCKET, burst = 8)
    public void costBurst() {}

    @RateLimit(limit = 10, window = 1, costFrom = "qery:amount")
    public void costFromWord() {}

    @RateLimit(limit = 10, window = 1, costFrom = "query: amount")
    public void costFromBlank() {}

    @RateLimit(limit = 10, window = 1, costFrom = "param:amount")
    public void costFromParam() {}

    @RateLimit(limit = 10, window = 1, costFrom = "shard:4:query:amount")
    public void costFromShard() {}

    @RateLimit(limit = 10, window = 1, costFrom = "spent")
    public void costFromName() {}

    @RateLimit(limit = 10, window = 1, costFrom = "tenant")
    public void costFromKey() {}

    @RateLimit(limit = 10, window = 1, when = "risk")
    public void whenName() {}

    @RateLimit(limit = 10, window = 1, when = "query:a")
    public void whenExpression() {}

    @RateLimit(limit = 10, window = 1, by = By.KEY, key = "shard:1:query:url")
    public void shardOne() {}

    @RateLimit(limit = 10, window = 1, by = By.KEY, key = "shard:4:shard:4:query:url")
    public void shardTwice() {}

    @RateLimit(limit = 10, window = 1, by = By.KEY, key = "shard:4:param:url")
    public void shardParam() {}

    @RateLimit(limit = 10, window = 1, tiers = @Tier(name = "", limit = 1))
    public void tierUnnamed() {}

    @RateLimit(limit = 10, window = 1, tiers = @Tier(name = "low", limit = 0))
    public void tier0() {}

    @RateLimit(
        limit = 10,
        window = 1,
        tiers = {@Tier(name = "low", limit = 1), @Tier(name = "low", limit = 2)})
    public void tierTwice() {}

    @RateLimit(limit = 10, window = 1, name = "with blank")
    public void named() {}

    @RateLimit(limit = 10, window = 1)
    public void aNameThatGoesOnAndOnUntilTogetherWithItsClassItIsMuchTooLong() {}

    @RateLimit(limit = 10, window = 1)
    @RateLimit(limit = 20, window = 1)
    public void sameDefault() {}

    @RateLimit(limit = 10, window = 1)
    @Unlimited
    public void contradiction() {}

    @RateLimit(limit = 5, window = 60, banAfter = -1)
    public void banNegative() {}

    @RateLimit(limit = 5, window = 60, banFor = 60)
    public void banAlone() {}

    @RateLimit(limit = 5, window = 60, banOn = "401")
    public void banOnAlone() {}

    @RateLimit(limit = 5, window = 60, banAfter = 5, banWithin = 367, unit = ChronoUnit.DAYS)
    public void banLong() {}

    @RateLimit(limit = 5, window = 60, banAfter = 5, banFor = -1)
    public void banForNegative() {}

    @RateLimit(
        limit = 5,
        window = 1,
        unit = ChronoUnit.MINUTES,
        banAfter = 5,
        banFor = 9,
        banAtMost = 8)
    public void banShrinks() {}

    @RateLimit(
        limit = 5,
        window = 60,
        banAfter = 5,
        banOn = {})
    public void banOnNothing() {}

    @RateLimit(
        limit = 5,
        window = 60,
        banAfter = 5,
        banOn = {"REFUSALS", "200"})
    public void banOnSuccess() {}

    @RateLimit(limit = 5, window = 60, banAfter = 5, by = By.KEY, key = "query:user")
    public void banByKey() {}

    @RateLimit(limit = 5, window = 60, banAfter = 5, by = By.ENDPOINT)
    public void banAll() {}

    @RateLimit(
        limit = 5,
        window = 60,
        banAfter = 5,
        by = {By.IP, By.USER},
        banScope = BanScope.APPLICATION)
    public void banOfTuple() {}
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limit0         | limit = 0: must be 1 to 1,000,000,000",
        "banNegative    | banAfter = -1: must be 0 to 1,000,000",
        "banAlone       | banFor = 1 minute: needs banAfter, the strikes after which a caller is",
        "banOnAlone     | banOn = [401]: needs banAfter, the strikes after which a caller is banned",
        "banLong        | banWithin = 367 days: must be 1 second to 366 days",
        "banForNegative | banFor = PT-1S: must be 1 second to 366 days",
        "banShrinks     | banAtMost = 8 minutes: must be at least banFor, 9 minutes",
        "banOnNothing   | banOn = []: must name at least one, and none twice",
        "banOnSuccess   | banOn = 200: must be REFUSALS or a status from 400 to 599",
        "banByKey       | banAfter = 5: needs by IP or USER, perhaps beside KEY: otherwise anybody",
        "banAll         | banAfter = 5: needs by IP or USER",
        "banOfTuple     | banScope = APPLICATION: needs by exactly IP or exactly USER",
        "limitHuge      | limit = 1000000001: must be 1 to 1,000,000,000",
        "window9        | window = 9 MILLIS: must be 10 milliseconds to 366 days",
        "windowNegative | window = -1 SECONDS: must be 10 milliseconds to 366 days",
        "window367      | window = 367 DAYS: must be 10 milliseconds to 366 days",
        "decades        | unit = DECADES: must be MILLIS, SECONDS, MINUTES, HOURS, DAYS, WEEKS,"
            + " MONTHS or YEARS",
        "weeks2         | window = 2 WEEKS: must be 1 with WEEKS by the calendar",
        "months5        | window = 5 MONTHS: must be 1, 2, 3, 4 or 6 months",
        "days2          | window = 2 DAYS: must be 1 with DAYS by the calendar",
        "zoneUnknown    | zone = Europe/Bärlin: must be a time zone such as Europe/Berlin, UTC or"
            + " +01:00",
        "zoneOfHours    | zone = UTC: is for windows of DAYS, WEEKS, MONTHS or YEARS",
        "slidingMonth   | algorithm = SLIDING_WINDOW: must be FIXED_WINDOW, as windows by the"
            + " calendar are",
        "algorithms     | algorithm = [SLIDING_WINDOW, FIXED_WINDOW]: must name at most one",
        "refillAbove    | refill = 6: must be 1 to 5, the limit",
        "refillTier     | tiers.low.refill = 3: must be 1 to 2, the limit of the tier",
        "refillTierAlone | tiers.low.refill = 1: needs a refill of the policy",
        "refillNegative | refill = -1: must be 0 to 1,000,000,000",
        "refillOfWindow | refill = 1: is for TOKEN_BUCKET, not SLIDING_WINDOW",
        "refillAndBurst | burst = 2: can't be combined with refill: the limit is the burst then",
        "clearedAddress | clearOn = SUCCESS: needs by KEY, with a key that holds the account:"
            + " otherwise an attacker with one valid account could clear the failures at all others",
        "clearedAll     | clearOn = SUCCESS: needs count FAILURES: a success clears nothing else",
        "clearedFixed   | clearOn = SUCCESS: needs SLIDING_WINDOW or SLIDING_LOG, where each"
            + " failure counts by itself, not FIXED_WINDOW",
        "clearedMany    | limit = 1001: must be 1 to 1,000 with clearOn SUCCESS",
        "clearedSoft    | mode = SOFT: must be HARD with clearOn SUCCESS",
        "strictAlone    | strict = true: needs a refill and mode HARD",
        "strictSoft     | strict = true: needs a refill and mode HARD",
        "windowOverflow | window = 18014398509481985 DAYS: must be 10 milliseconds to 366 days",
        "byNobody       | by = []: must name at least one",
        "byTwice        | by = [IP, IP]: must not repeat a value",
        "endpointAndIp  | by = [ENDPOINT, IP]: ENDPOINT counts all callers together, so it must be"
            + " the only value",
        "keyWithout     | key = []: must be set with by = KEY, to header:X-Api-Key for example",
        "keyUnread      | key = [header:X]: must not be set without by = KEY",
        "keyUnknown     | key = 'haeder:X': ",
        "keyParam       | key = 'param:phone': ",
        "softNothing    | exceedBy = 10: adds less than one permit to the limit of 9",
        "softBurst      | exceedBy = 10: adds less than one permit to the burst of 1",
        "softTier       | exceedBy = 10: adds less than one permit to the limit of 9 of tier low",
        "exceedHuge     | exceedBy = 1001: must be 0 to 1,000 %",
        "exceedNegative | exceedBy = -1: must be 0 to 1,000 %",
        "overshoot      | overshoot = 101: must be 0 to 100 %",
        "burstOfWindow  | burst = 5: is for TOKEN_BUCKET and LEAKY_BUCKET, not SLIDING_WINDOW",
        "burstNegative  | burst = -1: must be 0 to 1,000,000,000",
        "cost0          | cost = 0: must be 1 to 1,000,000,000",
        "costAbove      | cost = 11: must be 1 to 10, the permits at once (limit)",
        "costTier       | cost = 5: must be 1 to 4, the permits at once (tier low)",
        "costLeaky      | cost = 2: must be 1 to 1, the permits at once",
        "costBurst      | cost = 9: must be 1 to 8, the permits at once",
        "costFromWord   | costFrom = 'qery:amount': must be header:, query:, path:, cookie:,"
            + " param:, form: or json: with a name, or the name of a registered CostResolver; did you"
            + " mean query:?",
        "costFromBlank  | costFrom = 'query: amount': the name after query: must not begin or end",
        "costFromParam  | costFrom = 'param:amount': param: must not be used here",
        "costFromShard  | costFrom = 'shard:4:query:amount': must be header:",
        "costFromName   | costFrom = 'spent': must be header:, query:, path:, cookie:, param:,"
            + " form: or json: with a name, or the name of a registered CostResolver; did you mean"
            + " spend?",
        "costFromKey    | costFrom = 'tenant': must be header:",
        "whenName       | when = 'risk': must be the name of a registered RequestCondition; did you"
            + " mean risky?",
        "whenExpression | when = 'query:a': must be the name of a registered",
        "shardOne       | key = 'shard:1:query:url': shard: must be followed by a number from 2 to"
            + " 1000000, a colon and an expression",
        "shardTwice     | key = 'shard:4:shard:4:query:url': shard: must not be followed by"
            + " another",
        "shardParam     | key = 'shard:4:param:url': param: must not be used here",
        "tierUnnamed    | tiers = '': a tier's name must match [A-Za-z0-9._-]{1,64}",
        "tier0          | tiers.low = 0: must be 1 to 1,000,000,000",
        "tierTwice      | tiers = low: must name each tier once",
        "named          | name = 'with blank': must match [A-Za-z0-9._-]{1,64}",
        "aNameThatGoesOnAndOnUntilTogetherWithItsClassItIsMuchTooLong"
            + " | must have at most 64 characters; give it a shorter name",
        "sameDefault    | name = Wrong.sameDefault.ip-1s: is used by two policies here; rename one"
            + " of them",
        "contradiction  | @Unlimited = true: can't be combined with @RateLimit; remove one of them"
      })
  void namesPlaceMemberValueAndRule(String method, String line) {
    String message =
        assertThrows(InvalidPolicyException.class, () -> Catalogs.of(Wrong.class, method))
            .getMessage();
    assertTrue(message.startsWith("1 mistake in rate limits:"), message);
    assertTrue(message.contains(Wrong.class.getName() + "#" + method + ": "), message);
    assertTrue(message.contains(line), message);
  }

  @Test
  void tellsTheMistakesOfAllClassesAtOnce() {
    PolicyCatalog catalog = Catalogs.plain();
    String message =
        assertThrows(
                InvalidPolicyException.class,
                () ->
                    catalog.check(
                        List.of(Wrong.class, Right.class, Worse.class), EndpointType.JAXRS))
            .getMessage();
    assertEquals(79, message.lines().count(), message);
    assertTrue(message.startsWith("78 mistakes in rate limits:"), message);
    assertTrue(message.contains(Worse.class.getName() + ": limit = -5: must be"), message);
    assertTrue(message.contains(Worse.class.getName() + ": overshoot = -1: must be"), message);
  }

  /** An adapter that can't read bodies must not count by them as if they were missing. */
  @Test
  void refusesPoliciesThatReadTheBodyWhereThatIsNotPossible() {
    EndpointType other = new EndpointType("OTHER", true, false, false, any -> Optional.empty());
    for (String method : List.of("formKey", "jsonCost", "bodyCondition")) {
      assertEquals(
          1, Catalogs.of(Catalogs.plain(), Bodies.class, method, EndpointType.SERVLET).size());
      assertEquals(
          1, Catalogs.of(Catalogs.plain(), Bodies.class, method, EndpointType.JAXRS).size());
      for (EndpointType type : List.of(other, EndpointType.METHOD)) {
        String message =
            assertThrows(
                    InvalidPolicyException.class,
                    () -> Catalogs.of(Catalogs.plain(), Bodies.class, method, type))
                .getMessage();
        assertTrue(message.contains(Bodies.class.getName() + "#" + method + ": "), message);
        assertTrue(message.contains("must not be used here, since"), message);
        assertTrue(message.contains("servlets, controllers, resource methods of JAX-RS"), message);
      }
    }
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> Catalogs.with(accounts("weir.application.", Map.of())))
            .getMessage();
    assertTrue(message.contains("form: must not be used here, since"), message);
  }

  @Test
  void policiesOfUrlsReadTheBody() {
    PolicyCatalog catalog =
        Catalogs.with(accounts("weir.policy.login.", Map.of("weir.policy.login.url", "/login")));
    assertEquals(List.of("lower:form:user"), catalog.byPath("/login").get(0).current().keys());
  }

  private static Map<String, String> accounts(String prefix, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put(prefix + "limit", "5");
    settings.put(prefix + "window", "1m");
    settings.put(prefix + "by", "KEY");
    settings.put(prefix + "key", "lower:form:user");
    return settings;
  }

  /** Policies that read the body. */
  public static class Bodies {
    @RateLimit(limit = 10, window = 1, by = By.KEY, key = "shard:4:lower:form:user|json:/user")
    public void formKey() {}

    @RateLimit(limit = 10, window = 1, costFrom = "json:/amount")
    public void jsonCost() {}

    @RateLimit(limit = 10, window = 1, when = "ofBody")
    public void bodyCondition() {}
  }

  @RateLimit(limit = -5, window = 1, overshoot = -1)
  public static class Worse {
    public void one() {}

    public void other() {}
  }

  public static class Right {
    @RateLimit(limit = 1, window = 10, unit = ChronoUnit.MILLIS)
    public void least() {}

    @RateLimit(
        limit = 1_000_000_000,
        window = 366,
        unit = ChronoUnit.DAYS,
        exceedBy = 1000,
        mode = Mode.SOFT,
        overshoot = 100,
        cost = 1_000_000_000)
    public void most() {}

    @RateLimit(limit = 1, window = 1, mode = Mode.SOFT, exceedBy = 100)
    public void softOne() {}

    @RateLimit(limit = 1, window = 1, mode = Mode.ELASTIC, exceedBy = 0)
    public void elasticNothing() {}

    @RateLimit(limit = 1, window = 1, cost = 9, algorithm = Algorithm.LEAKY_BUCKET, burst = 9)
    public void burst() {}

    @RateLimit(
        limit = 1,
        window = 1,
        by = {By.KEY, By.IP},
        key = {"tenant", "path:id"})
    public void keys() {}

    @RateLimit(limit = 9, window = 1, cost = 9, costFrom = "header:X-Amount", when = "risky")
    public void request() {}

    @RateLimit(limit = 9, window = 1, costFrom = "spend")
    public void resolved() {}

    @RateLimit(
        limit = 1,
        window = 1,
        by = {By.USER, By.KEY},
        key = {"shard:16:path:id", "shard:1000000:tenant"})
    public void shards() {}
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "least",
        "most",
        "softOne",
        "elasticNothing",
        "burst",
        "keys",
        "request",
        "resolved",
        "shards"
      })
  void letsWhatIsRightPass(String method) {
    assertDoesNotThrow(() -> Catalogs.of(Right.class, method));
  }

  public static class Decade {
    @RateLimit(limit = 1, window = 1, unit = ChronoUnit.DECADES)
    public void of() {}
  }

  @ParameterizedTest
  @MethodSource("io.weir.internal.policy.Catalogs#types")
  void aUnitThatNoWindowHasIsAMistakeEverywhereWhateverTheSettingsSay(EndpointType site) {
    for (Map<String, String> settings :
        List.of(Map.<String, String>of(), Map.of("weir.policy.Decade.of.window", "7d"))) {
      PolicyCatalog catalog = Catalogs.with(settings);
      String message =
          assertThrows(
                  InvalidPolicyException.class, () -> catalog.check(List.of(Decade.class), site))
              .getMessage();
      String line = "Decade#of: unit = DECADES: must be MILLIS, SECONDS, MINUTES, HOURS, DAYS,";
      assertTrue(message.contains(line), message);
      assertTrue(message.startsWith("1 mistake"), message);
    }
  }

  public static class Keys {
    @RateLimit(limit = 1, window = 1, by = By.KEY, key = "param:phone")
    public void param() {}

    @RateLimit(limit = 1, window = 1, by = By.KEY, key = "path:id")
    public void path() {}
  }

  @ParameterizedTest
  @CsvSource({
    "param, METHOD, true",
    "param, JAXRS, false",
    "param, SERVLET, false",
    "path, METHOD, true",
    "path, JAXRS, true",
    "path, SERVLET, false"
  })
  void aKeyReadsOnlyWhatThereIs(String method, String type, boolean right) {
    EndpointType site = Catalogs.type(type);
    PolicyCatalog catalog = Catalogs.plain();
    if (right) {
      assertDoesNotThrow(() -> Catalogs.of(catalog, Keys.class, method, site));
    } else {
      assertThrows(
          InvalidPolicyException.class, () -> Catalogs.of(catalog, Keys.class, method, site));
    }
  }

  /** An answer to anything else, such as a form, would clear the failures of its query. */
  @ParameterizedTest
  @CsvSource({
    "SignIns, doGet, SERVLET, false",
    "SignIns, doGet, JAXRS, false",
    "SignIns, doGet, METHOD, false",
    "SignIns, doPost, SERVLET, true",
    "SignIns, service, SERVLET, false",
    "SignIns, service, JAXRS, true",
    "SomeOfAll, doPost, SERVLET, true"
  })
  void aSuccessClearsOnlyWhereAllRequestsAreSignIns(
      String type, String method, String site, boolean right) {
    PolicyCatalog catalog = Catalogs.plain();
    Class<?> signIn = type.equals("SignIns") ? SignIns.class : SomeOfAll.class;
    if (right) {
      assertDoesNotThrow(() -> Catalogs.of(catalog, signIn, method, Catalogs.type(site)));
    } else {
      String message =
          assertThrows(
                  InvalidPolicyException.class,
                  () -> Catalogs.of(catalog, signIn, method, Catalogs.type(site)))
              .getMessage();
      assertTrue(message.contains("clearOn = SUCCESS: must be on the method that"), message);
    }
  }

  @RateLimit(
      limit = 5,
      window = 60,
      by = By.KEY,
      key = "query:a",
      count = Count.FAILURES,
      clearOn = ClearOn.SUCCESS)
  public static class SignIns {
    public void doGet() {}

    @RateLimit(
        limit = 5,
        window = 60,
        by = By.KEY,
        key = "query:a",
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS)
    public void doPost() {}

    @RateLimit(
        limit = 5,
        window = 60,
        by = By.KEY,
        key = "query:a",
        count = Count.FAILURES,
        clearOn = ClearOn.SUCCESS)
    public void service() {}
  }

  @RateLimit(
      limit = 5,
      window = 60,
      by = By.KEY,
      key = "query:a",
      count = Count.FAILURES,
      clearOn = ClearOn.SUCCESS,
      when = "risky")
  public static class SomeOfAll {
    public void doPost() {}
  }

  @ParameterizedTest
  @ValueSource(strings = {"weir.application.", "weir.default.", "weir.policy.login."})
  void aSuccessClearsNothingOfAWholeApplicationOrPath(String prefix) {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.policy.login.url", "/login");
    settings.put("weir.policy.login.limit", "5");
    settings.put("weir.policy.login.window", "1m");
    settings.put(prefix + "limit", "5");
    settings.put(prefix + "window", "1m");
    settings.put(prefix + "by", "KEY");
    settings.put(prefix + "key", "query:a");
    settings.put(prefix + "count", "FAILURES");
    settings.put(prefix + "clear-on", "SUCCESS");
    String message =
        assertThrows(InvalidPolicyException.class, () -> Catalogs.with(settings)).getMessage();
    assertTrue(message.contains(prefix + "clear-on = SUCCESS: must be on the method"), message);
    settings.put(prefix + "when", "risky");
    assertDoesNotThrow(() -> Catalogs.with(settings));
  }
}
