package io.weir.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which Weir an application has, and when it ends. */
class ApplicationsTest {
  private final ClassLoader outer = Thread.currentThread().getContextClassLoader();
  private final ClassLoader loader = new URLClassLoader(new URL[0], outer);

  @BeforeEach
  void enter() {
    Thread.currentThread().setContextClassLoader(loader);
  }

  @AfterEach
  void leave() {
    Weir.application().close();
    Thread.currentThread().setContextClassLoader(outer);
  }

  @Test
  void theLastOfTwoThatShareALoaderClosesWhatWasMadeForThem() {
    Weir.startApplication(loader);
    Weir.startApplication(loader);
    Weir weir = Weir.application();
    Weir.closeApplication(loader);
    assertSame(weir, Weir.application());
    Weir.closeApplication(loader);
    assertNotSame(weir, Weir.application());
  }

  @Test
  void whatTheApplicationInstalledIsItsOwnToClose() {
    try (Weir own = Weir.builder().build().install()) {
      Weir.startApplication(loader);
      Weir.closeApplication(loader);
      assertSame(own, Weir.application());
    }
  }

  @Test
  void afterTheEndNoneIsMadeForWovenCodeUntilTheNextStart() {
    Weir.startApplication(loader);
    Weir.application();
    Weir.closeApplication(loader);
    assertEquals(Optional.empty(), Weir.application(ApplicationsTest.class));
    Weir.startApplication(loader);
    try (Weir next = Weir.application(ApplicationsTest.class).orElseThrow()) {
      assertSame(next, Weir.application());
    }
    Weir.closeApplication(loader);
  }

  @Test
  void oneThatWasInstalledForTwoLoadersIsForgottenByBoth() {
    Weir weir = Weir.builder().build().install();
    Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0], outer));
    weir.install();
    weir.close();
    assertNotSame(weir, Weir.application());
    Weir.application().close();
    Thread.currentThread().setContextClassLoader(loader);
    assertNotSame(weir, Weir.application());
  }

  @Test
  void settingsThatComeTooLateAreNamedUnlessTheyAreInForce() {
    Weir.application(Map.of("weir.headers", "ietf"));
    List<String> warnings = new ArrayList<>();
    Handler kept = keeping(warnings);
    Logger logger = Logger.getLogger(Weir.class.getName());
    logger.addHandler(kept);
    try {
      Weir.application(Map.of("weir.headers", "ietf"));
      assertEquals(List.of(), warnings);
      Weir.application(Map.of("weir.headers", "both", "weir.secret", "hidden"));
      assertEquals(1, warnings.size());
      assertTrue(warnings.get(0).endsWith("[weir.headers, weir.secret]"), warnings.get(0));
    } finally {
      logger.removeHandler(kept);
    }
  }

  private static Handler keeping(List<String> messages) {
    return new Handler() {
      @Override
      public void publish(LogRecord entry) {
        messages.add(entry.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }
}
