package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.annotation.By;
import io.weir.internal.settings.ChangingSettings;
import io.weir.internal.settings.LiveSettings;
import io.weir.test.log.LogLines;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlPoliciesTest {
  private final Map<String, String> given = new HashMap<>();
  private final LiveSettings live = ChangingSettings.over(given);

  private void policy(String name, String url) {
    given.put("weir.policy." + name + ".limit", "10");
    given.put("weir.policy." + name + ".window", "1m");
    given.put("weir.policy." + name + ".url", url);
  }

  private PolicyCatalog catalog() {
    live.refresh();
    return new PolicyCatalog(live, Set.of());
  }

  private static List<String> names(PolicyCatalog catalog, String path) {
    return catalog.byPath(path).stream().map(LivePolicy::name).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "/api/*, /api, true",
    "/api/*, /api/, true",
    "/api/*, /api/x/y, true",
    "/api/*, /apis, false",
    "/api/*, /x/api/y, false",
    "/*, /, true",
    "/*, /any/where, true",
    "*.jsp, /a/b.jsp, true",
    "*.jsp, /a.jsp/b, false",
    "*.jsp, /a.jspx, false",
    "/exact, /exact, true",
    "/exact, /exact/, false",
    "/exact, /exactly, false",
    "/exact, /EXACT, false",
    "/, /any/where, true",
    "'/a, /b/*', /b/c, true",
    "'/a, /b/*', /c, false"
  })
  void matchesAsServletsDo(String pattern, String path, boolean matches) {
    policy("it", pattern);
    assertEquals(matches ? List.of("it") : List.of(), names(catalog(), path));
  }

  @ParameterizedTest
  @CsvSource({
    "/exact, /exact, true",
    "/exact, /exact/, true",
    "/exact, /exact//, false",
    "/exact, /exact/x, false",
    "/exact/, /exact, true",
    "/exact/, /exact/, true",
    "*.zip, /a.zip/, true",
    "*.zip, /a.zip/b, false",
    "*.zip, /a.zipper/, false",
    "/api/*, /api/, true",
    "/api/*, /apis/, false",
    "/, /any/, true"
  })
  void whereItMeansNothingASlashAtTheEndIsIgnored(String pattern, String path, boolean matches) {
    policy("it", pattern);
    List<LivePolicy> found = catalog().byPath(path, true, false);
    assertEquals(
        matches ? List.of("it") : List.of(), found.stream().map(LivePolicy::name).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "/exact, /EXACT, true",
    "/Exact, /exact/, true",
    "/exact, /exacts, false",
    "/items, /\u0130TEMS, true",
    "*.zip, /a.ZIP, true",
    "*.zip, zip, false",
    "/api/*, /API/x, true",
    "/api/*, /APIs, false",
    "/api/*, /AP, false",
    "/, /any, true"
  })
  void whereItMeansNothingTheCaseIsIgnored(String pattern, String path, boolean matches) {
    policy("it", pattern);
    List<LivePolicy> found = catalog().byPath(path, true, true);
    assertEquals(
        matches ? List.of("it") : List.of(), found.stream().map(LivePolicy::name).toList());
  }

  @Test
  void whatASlashAtTheEndMatchesIsNoRest() {
    policy("exact", "/exact");
    policy("rest", "/");
    PolicyCatalog catalog = catalog();
    assertEquals("exact", catalog.byPath("/exact/", true, false).get(0).name());
    assertEquals("rest", catalog.byPath("/exact/").get(0).name());
  }

  @Test
  void allThatMatchApplyAndTheSlashTakesTheRest() {
    policy("all", "/*");
    policy("api", "/api/*");
    assertEquals(List.of("all", "api"), names(catalog(), "/api/x"));
    given.clear();
    policy("api", "/api/*");
    policy("rest", "/");
    PolicyCatalog catalog = new PolicyCatalog(ChangingSettings.over(given), Set.of());
    assertEquals(List.of("api"), names(catalog, "/api/x"));
    assertEquals(List.of("rest"), names(catalog, "/other"));
  }

  @Test
  void aPolicyMayAppearChangeAndDisappear() {
    PolicyCatalog catalog = catalog();
    assertEquals(List.of(), names(catalog, "/api/x"));
    policy("api", "/api/*");
    live.refresh();
    LivePolicy api = catalog.byPath("/api/x").get(0);
    assertEquals(10, api.current().limit());
    given.put("weir.policy.api.limit", "20");
    given.put("weir.policy.api.url", "/more/*, /extra/*");
    live.refresh();
    assertSame(api, catalog.byPath("/more/x").get(0));
    assertEquals(20, api.current().limit());
    assertEquals("/extra/*, /more/*", api.describe());
    given.put("weir.policy.api.by", "user");
    live.refresh();
    assertNotSame(api, catalog.byPath("/more/x").get(0));
    assertEquals(List.of(By.USER), catalog.byPath("/more/x").get(0).by());
    assertEquals(List.of(By.IP), api.by(), "who still holds the old one counts as before");
    given.clear();
    live.refresh();
    assertEquals(List.of(), names(catalog, "/more/x"));
  }

  @Test
  void anIncompleteOneIsAMistake() {
    given.put("weir.policy.api.url", "/api/*");
    live.refresh();
    String message =
        assertThrows(InvalidPolicyException.class, () -> new PolicyCatalog(live, Set.of()))
            .getMessage();
    assertTrue(message.startsWith("2 mistakes"), message);
    assertTrue(message.contains("weir.policy.api: weir.policy.api.limit = (not set)"), message);
  }

  @Test
  void itsKeysCanReadNeitherParametersNorTemplates() {
    policy("api", "/api/*");
    given.put("weir.policy.api.by", "key");
    given.put("weir.policy.api.key", "path:id");
    live.refresh();
    String message =
        assertThrows(InvalidPolicyException.class, () -> new PolicyCatalog(live, Set.of()))
            .getMessage();
    assertTrue(
        message.contains("weir.policy.api: weir.policy.api.key = 'path:id': path:"), message);
  }

  @Test
  void warnsWhereACallerCanInventItsKey() {
    policy("api", "/api/*");
    given.put("weir.policy.api.by", "key");
    given.put("weir.policy.api.key", "header:a");
    try (LogLines warnings = new LogLines("io.weir.internal.policy")) {
      catalog();
      assertEquals(1, warnings.containing("api (/api/*) counts by a key").size());
    }
  }

  @Test
  void aFixedNumberOfPartsCantBeInvented() {
    policy("api", "/api/*");
    given.put("weir.policy.api.by", "key");
    given.put("weir.policy.api.key", "shard:16:header:a");
    try (LogLines warnings = new LogLines("io.weir.internal.policy")) {
      catalog();
      assertEquals(0, warnings.containing("counts by a key").size());
    }
  }

  @Test
  void mayFindItsCostElsewhereFromNowOn() {
    policy("api", "/api/*");
    PolicyCatalog catalog = catalog();
    LivePolicy before = catalog.byPath("/api/x").get(0);
    given.put("weir.policy.api.cost-from", "query:amount");
    live.refresh();
    LivePolicy after = catalog.byPath("/api/x").get(0);
    assertNotSame(before, after);
    assertEquals("query:amount", after.current().costFrom());
    assertEquals("", before.current().costFrom());
  }

  @ParameterizedTest
  @CsvSource({
    "/a/*, /b/*, true",
    "/a/*, /a/*, false",
    "/a/*, /*, false",
    "/a/*, /a/b/*, true",
    "'/a/*, /b/*', /a/*, true",
    "/a/*, '/b/*, /a/*', false",
    "/*, /a/*, true"
  })
  void onlyWhatCountsTheSamePathsKeepsInventedKeysInBounds(
      String pattern, String companion, boolean warned) {
    policy("api", pattern);
    given.put("weir.policy.api.by", "key");
    given.put("weir.policy.api.key", "header:a");
    policy("bound", companion);
    try (LogLines warnings = new LogLines("io.weir.internal.policy")) {
      catalog();
      assertEquals(warned ? 1 : 0, warnings.lines().size(), () -> warnings.lines().toString());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/healthz, /healthz, false, false",
    "/healthz, /healthz/, true, true",
    "/healthz, /HEALTHZ, true, false",
    "/healthz, /search, true, true",
    "/health/*, /health, false, false",
    "/health/*, /HEALTH/live, true, false",
    "/health/*, /health/../search, true, true",
    "'/a, /b/*', /b/c, false, false",
    "/, /, false, false",
    "/, /search, true, true"
  })
  void leavesOutPathsAsTheyWereMatched(
      String except, String path, boolean counted, boolean countedInAnyCase) {
    policy("all", "/*");
    given.put("weir.policy.all.except", except);
    PolicyCatalog catalog = catalog();
    assertEquals(counted, !catalog.byPath(path, true, false).isEmpty());
    assertEquals(countedInAnyCase, !catalog.byPath(path, true, true).isEmpty());
    assertTrue(catalog.table().contains("except " + except), catalog.table());
  }

  @Test
  void whatOnePolicyLeavesOutIsTheRest() {
    policy("files", "/files/*");
    given.put("weir.policy.files.except", "/files/logo.png");
    policy("rest", "/");
    PolicyCatalog catalog = catalog();
    assertEquals(List.of("rest"), names(catalog, "/files/logo.png"));
    given.put("weir.policy.rest.except", "/files/logo.png");
    live.refresh();
    assertEquals(List.of(), names(catalog, "/files/logo.png"));
  }

  @ParameterizedTest
  @CsvSource({
    "/other, '', 0",
    "/login, '', 1",
    "/login/*, '', 1",
    "/, '', 0",
    "/login/a, '', 1",
    "/login/a, /login/a, 0"
  })
  void aPathThatTheCompanionLeavesOutIsWarnedOf(String except, String own, int warnings) {
    policy("login", "/login/*");
    given.put("weir.policy.login.by", "key");
    given.put("weir.policy.login.key", "header:a");
    given.put("weir.policy.login.except", own);
    policy("bound", "/*");
    given.put("weir.policy.bound.except", except);
    try (LogLines log = new LogLines("io.weir.internal.policy")) {
      catalog();
      assertEquals(warnings, log.lines().size(), () -> log.lines().toString());
    }
  }

  @Test
  void eachPolicyIsWarnedOfUnderItsOwnPatterns() {
    for (String name : List.of("a", "b")) {
      policy(name, "/" + name + "/*");
      given.put("weir.policy." + name + ".by", "key");
      given.put("weir.policy." + name + ".key", "header:a");
    }
    try (LogLines warnings = new LogLines("io.weir.internal.policy")) {
      catalog();
      assertEquals(1, warnings.containing("a (/a/*) counts by a key").size());
      assertEquals(1, warnings.containing("b (/b/*) counts by a key").size());
      assertEquals(2, warnings.lines().size(), () -> warnings.lines().toString());
    }
  }
}
