package io.weir.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
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
    ApplicationUse one = ApplicationUse.begin(loader);
    ApplicationUse other = ApplicationUse.begin(loader);
    Weir weir = Weir.application();
    one.close();
    one.close();
    assertSame(weir, Weir.application());
    other.close();
    assertNotSame(weir, Weir.application());
  }

  @Test
  void whatTheApplicationInstalledIsItsOwnToClose() {
    try (Weir own = Weir.builder().build().install()) {
      ApplicationUse.begin(loader).close();
      assertSame(own, Weir.application());
    }
  }

  @Test
  void afterTheEndNoneIsMadeForWovenCodeUntilTheNextStart() {
    try (ApplicationUse use = ApplicationUse.begin(loader)) {
      assertSame(use.weir(Map.of()), Weir.application());
    }
    assertEquals(Optional.empty(), Weir.application(ApplicationsTest.class));
    try (ApplicationUse again = ApplicationUse.begin(loader)) {
      Weir next = Weir.application(ofTheApplication()).orElseThrow();
      assertSame(next, again.weir(Map.of()));
    }
  }

  /** Whoever takes a Weir has counted before: it can't be closed between the two. */
  @Test
  void whatStartsWhileTheLastOtherOneStopsHasAnOpenWeir() {
    ApplicationUse stopping = ApplicationUse.begin(loader);
    Weir weir = stopping.weir(Map.of());
    ApplicationUse starting = ApplicationUse.begin(loader);
    stopping.close();
    assertSame(weir, starting.weir(Map.of()));
    assertSame(weir, Weir.application());
    starting.close();
  }

  @Test
  void oneThatWasMadeForAnApplicationAboveStaysOpenForThoseBelow() throws Exception {
    ApplicationUse above = ApplicationUse.begin(loader);
    Weir weir = above.weir(Map.of());
    try (URLClassLoader inner = new URLClassLoader(new URL[0], loader)) {
      ApplicationUse below = ApplicationUse.begin(inner);
      assertSame(weir, below.weir(Map.of()));
      above.close();
      assertSame(weir, Weir.application());
      below.close();
      assertNotSame(weir, Weir.application());
    }
  }

  @Test
  void wovenCodeOfAnApplicationThatHasEndedBelowGetsNone() throws Exception {
    try (Weir main = Weir.builder().build().install();
        URLClassLoader inner = new URLClassLoader(new URL[0], loader)) {
      Class<?> woven = ofTheApplication(inner);
      try (ApplicationUse below = ApplicationUse.begin(inner)) {
        assertSame(main, below.weir(Map.of()));
        assertSame(main, Weir.application(woven).orElseThrow());
      }
      assertEquals(Optional.empty(), Weir.application(woven));
      assertSame(main, Weir.application(ofTheApplication()).orElseThrow());
    }
  }

  @Test
  void aLoaderThatLeadsPastWeirStandsForWeirsOwn() {
    ClassLoader past = ClassLoader.getPlatformClassLoader();
    try (ApplicationUse use = ApplicationUse.begin(past)) {
      assertSame(Weir.class.getClassLoader(), use.application());
    }
  }

  @Test
  void afterTheInstalledOneWasClosedNoneIsMadeForWovenCode() throws Exception {
    Class<?> woven = ofTheApplication();
    Weir own = Weir.builder().build().install();
    assertSame(own, Weir.application(woven).orElseThrow());
    own.close();
    assertEquals(Optional.empty(), Weir.application(woven));
    try (Weir next = Weir.builder().build().install()) {
      assertSame(next, Weir.application(woven).orElseThrow());
    }
    assertEquals(Optional.empty(), Weir.application(woven));
  }

  @Test
  void afterOneAboveWasClosedNoneIsMadeForWovenCodeBelow() throws Exception {
    Weir own = Weir.builder().build().install();
    try (URLClassLoader below = new URLClassLoader(new URL[0], loader)) {
      Thread.currentThread().setContextClassLoader(below);
      assertSame(own, Weir.application(ofTheApplication()).orElseThrow());
      own.close();
      assertEquals(Optional.empty(), Weir.application(ofTheApplication()));
    } finally {
      Thread.currentThread().setContextClassLoader(loader);
    }
  }

  /** A class that the application's own loader has made. */
  private Class<?> ofTheApplication() {
    return ofTheApplication(loader);
  }

  private static Class<?> ofTheApplication(ClassLoader own) {
    return Proxy.newProxyInstance(own, new Class<?>[] {Runnable.class}, (of, name, with) -> null)
        .getClass();
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
