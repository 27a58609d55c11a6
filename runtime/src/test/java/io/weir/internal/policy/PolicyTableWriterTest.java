package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.adapter.EndpointType;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.Priority;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.annotation.Unlimited;
import io.weir.test.log.LogLines;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyTableWriterTest {
  @RateLimit(limit = 1000, window = 1, unit = ChronoUnit.HOURS, by = By.ENDPOINT)
  public static class Shop {
    @RateLimit(limit = 10, window = 60, by = By.KEY, key = "header:a", shadow = true)
    @RateLimit(limit = 100, window = 60, mode = Mode.SOFT, exceedBy = 20)
    public void buy() {}

    public void look() {}

    @Unlimited
    public void free() {}
  }

  public static class Bare {
    @RateLimit(
        limit = 60,
        window = 1500,
        unit = ChronoUnit.MILLIS,
        by = {By.USER, By.IP},
        algorithm = Algorithm.TOKEN_BUCKET,
        burst = 20,
        cost = 5,
        count = Count.FAILURES,
        tiers = @Tier(name = "vip", limit = 600))
    public void bucket() {}

    public void plain() {}
  }

  public static class Bank {
    @RateLimit(limit = 10, window = 60, priority = Priority.CRITICAL, name = "pay")
    @RateLimit(limit = 100, window = 60, priority = Priority.LOW, name = "stats")
    public void pay() {}

    @RateLimit(limit = 10, window = 60, priority = Priority.CRITICAL, name = "move")
    @RateLimit(limit = 100, window = 60, name = "plain")
    public void move() {}
  }

  @Test
  void warnsWhereAStricterPriorityHoldsBesideACriticalOne() {
    PolicyCatalog catalog =
        Catalogs.with(
            Map.of(
                "weir.policy.all.url", "/*",
                "weir.policy.all.limit", "5",
                "weir.policy.all.window", "1d",
                "weir.policy.all.priority", "normal"));
    try (LogLines warnings = new LogLines("io.weir.internal.policy")) {
      catalog.check(List.of(Bank.class), EndpointType.JAXRS);
      assertEquals(
          """
          endpoint   policy  limit       by  mode
          /*         all     5 per 1d    IP  HARD  priority NORMAL
          Bank#move  move    10 per 1m   IP  HARD  priority CRITICAL
          Bank#move  plain   100 per 1m  IP  HARD
          Bank#pay   pay     10 per 1m   IP  HARD  priority CRITICAL but with stats (LOW)
          Bank#pay   stats   100 per 1m  IP  HARD  priority LOW
          """,
          catalog.table());
      catalog.table();
      assertEquals(
          List.of(
              "WARNING pay ("
                  + Bank.class.getName()
                  + "#pay) is CRITICAL, but under load the strictest decides, and stats (LOW)"
                  + " also apply there"),
          warnings.lines());
    }
  }

  @Test
  void soItDoesByUrlAndForTheWholeApplication() {
    Map<String, String> settings = new HashMap<>();
    Map.of("all", "/*", "path", "/path")
        .forEach((name, url) -> settings.put("weir.policy." + name + ".url", url));
    for (String each : List.of("policy.all", "policy.path", "application")) {
      settings.put("weir." + each + ".limit", "5");
      settings.put("weir." + each + ".window", "1d");
    }
    settings.put("weir.policy.all.priority", "normal");
    settings.put("weir.policy.path.priority", "critical");
    settings.put("weir.application.priority", "low");
    PolicyCatalog catalog = Catalogs.with(settings);
    catalog.check(List.of(Bank.class), EndpointType.SERVLET);
    String table = catalog.table();
    for (String row : List.of("/path", "Bank#move  move")) {
      String line = table.lines().filter(each -> each.startsWith(row)).findFirst().orElseThrow();
      assertTrue(line.endsWith("priority CRITICAL but with all (NORMAL), application (LOW)"), line);
    }
  }

  @Test
  void showsWhatAppliesWhere() {
    PolicyCatalog catalog =
        Catalogs.with(
            Map.of(
                "weir.policy.all.url", "/*",
                "weir.policy.all.limit", "5",
                "weir.policy.all.window", "1d"));
    catalog.check(List.of(Shop.class, Bare.class), EndpointType.JAXRS);
    for (String method : List.of("look", "buy")) {
      Catalogs.of(catalog, Shop.class, method, EndpointType.JAXRS);
    }
    Catalogs.of(catalog, Bare.class, "plain", EndpointType.JAXRS);
    assertEquals(
        """
        endpoint     policy           limit                   by         mode
        /*           all              5 per 1d                IP         HARD
        Bare#bucket  Bare.bucket      60 per 1500ms, vip 600  USER + IP  HARD       TOKEN_BUCKET burst 20 cost 5 counts FAILURES
        Bare#plain   -                not limited
        Shop         Shop             1000 per 1h             ENDPOINT   HARD
        Shop#buy     Shop.buy.key-1m  10 per 1m               header:a   HARD       shadow replaces Shop
        Shop#buy     Shop.buy.ip-1m   100 per 1m              IP         SOFT +20%  replaces Shop
        Shop#free    -                exempt                                        replaces Shop
        Shop#look    Shop             1000 per 1h             ENDPOINT   HARD
        """,
        catalog.table());
  }
}
