package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Weir;
import io.weir.rules.Rules;
import org.junit.jupiter.api.Test;

/** The console of a servlet that is mapped to a path of an application, itself below a path. */
class BelowPathTest extends AppPerTest implements ConsoleTests {
  @Override
  public Server start(Weir weir, Rules rules) {
    return TomcatServer.start(weir, rules, "/shop", "/weir/*");
  }

  @Override
  public String mount() {
    return "/shop/weir";
  }

  /** A browser that came by https to a proxy mustn't be sent to http. */
  @Test
  void theRedirectNamesNoScheme() {
    assertEquals(
        "/shop/weir/v1/console/", app().get("/shop/weir/v1/console", "").header("Location"));
  }

  @Test
  void theApiIsBesideIt() {
    assertEquals(200, app().get("/shop/weir/v1/session", "alice/").status());
    assertEquals(401, app().get("/shop/weir/v1/session", "").status());
  }
}
