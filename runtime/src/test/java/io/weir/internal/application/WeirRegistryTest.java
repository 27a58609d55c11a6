package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.test.log.LogLines;
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

/** Finds the Weir of an application, and closes it when its last user ends. */
class WeirRegistryTest {
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
    WeirHandle one = WeirHandle.open(loader);
    WeirHandle other = WeirHandle.open(loader);
    Weir weir = Weir.application();
    one.close();
    one.close();
    assertSame(weir, Weir.application());
    other.close();
    assertNotSame(weir, Weir.application());
  }

  /** JAX-RS doesn't see the parameters of the web application that it runs in. */
  @Test
  void parametersOfTheApplicationAreSettingsOfTheWeirThatAnotherComponentMakes() {
    WeirHandle container = WeirHandle.open(loader, Map.of("weir.policy.calls.limit", "many"));
    WeirHandle component = WeirHandle.open(loader);
    assertThrows(IllegalArgumentException.class, () -> component.weir(Map.of()));
    component.weir(Map.of("weir.policy.calls.limit", "7")).close();
    component.close();
    container.close();
  }

  @Test
  void whatTheApplicationInstalledIsItsOwnToClose() {
    try (WeirRuntime own = new DefaultWeirBuilder().build().install()) {
      WeirHandle.open(loader).close();
      assertSame(own, Weir.application());
    }
  }

  @Test
  void afterTheEndNoneIsMadeForWovenCodeUntilTheNextStart() {
    try (WeirHandle use = WeirHandle.open(loader)) {
      assertSame(use.weir(Map.of()), Weir.application());
    }
    assertEquals(Optional.empty(), ApplicationWeirs.get(WeirRegistryTest.class));
    try (WeirHandle again = WeirHandle.open(loader)) {
      WeirRuntime next = ApplicationWeirs.get(ofTheApplication()).orElseThrow();
      assertSame(next, again.weir(Map.of()));
    }
  }

  /** A caller counts itself before it takes the Weir, so none is closed between the two. */
  @Test
  void whatStartsWhileTheLastOtherOneStopsHasAnOpenWeir() {
    WeirHandle stopping = WeirHandle.open(loader);
    WeirRuntime weir = stopping.weir(Map.of());
    WeirHandle starting = WeirHandle.open(loader);
    stopping.close();
    assertSame(weir, starting.weir(Map.of()));
    assertSame(weir, Weir.application());
    starting.close();
  }

  @Test
  void oneThatWasMadeForAnApplicationAboveStaysOpenForThoseBelow() throws Exception {
    WeirHandle above = WeirHandle.open(loader);
    WeirRuntime weir = above.weir(Map.of());
    try (URLClassLoader inner = new URLClassLoader(new URL[0], loader)) {
      WeirHandle below = WeirHandle.open(inner);
      assertSame(weir, below.weir(Map.of()));
      above.close();
      assertSame(weir, Weir.application());
      below.close();
      assertNotSame(weir, Weir.application());
    }
  }

  @Test
  void wovenCodeOfAnApplicationThatHasEndedBelowGetsNone() throws Exception {
    try (WeirRuntime main = new DefaultWeirBuilder().build().install();
        URLClassLoader inner = new URLClassLoader(new URL[0], loader)) {
      Class<?> woven = ofTheApplication(inner);
      try (WeirHandle below = WeirHandle.open(inner)) {
        assertSame(main, below.weir(Map.of()));
        assertSame(main, ApplicationWeirs.get(woven).orElseThrow());
      }
      try (LogLines log = new LogLines(Weir.class)) {
        assertEquals(Optional.empty(), ApplicationWeirs.get(woven));
        assertSame(main, ApplicationWeirs.get(ofTheApplication()).orElseThrow());
        assertEquals(1, log.containing("Woven methods still run after").size());
      }
    }
  }

  @Test
  void aLoaderThatLeadsPastWeirStandsForWeirsOwn() {
    ClassLoader past = ClassLoader.getPlatformClassLoader();
    assertSame(Weir.class.getClassLoader(), WeirRegistry.leading(past));
  }

  @Test
  void afterTheInstalledOneWasClosedNoneIsMadeForWovenCode() throws Exception {
    Class<?> woven = ofTheApplication();
    WeirRuntime own = new DefaultWeirBuilder().build().install();
    assertSame(own, ApplicationWeirs.get(woven).orElseThrow());
    own.close();
    try (LogLines log = new LogLines(Weir.class)) {
      assertEquals(Optional.empty(), ApplicationWeirs.get(woven));
      assertEquals(Optional.empty(), ApplicationWeirs.get(woven));
      assertEquals(1, log.containing("WARNING Woven methods still run after").size());
    }
    try (WeirRuntime next = new DefaultWeirBuilder().build().install()) {
      assertSame(next, ApplicationWeirs.get(woven).orElseThrow());
    }
    assertEquals(Optional.empty(), ApplicationWeirs.get(woven));
  }

  @Test
  void afterOneAboveWasClosedNoneIsMadeForWovenCodeBelow() throws Exception {
    WeirRuntime own = new DefaultWeirBuilder().build().install();
    try (URLClassLoader below = new URLClassLoader(new URL[0], loader)) {
      Thread.currentThread().setContextClassLoader(below);
      assertSame(own, ApplicationWeirs.get(ofTheApplication()).orElseThrow());
      own.close();
      assertEquals(Optional.empty(), ApplicationWeirs.get(ofTheApplication()));
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
    WeirRuntime weir = new DefaultWeirBuilder().build().install();
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
    ApplicationWeirs.get(Map.of("weir.headers", "ietf"));
    List<String> warnings = new ArrayList<>();
    Handler kept = keeping(warnings);
    Logger logger = Logger.getLogger(Weir.class.getName());
    logger.addHandler(kept);
    try {
      ApplicationWeirs.get(Map.of("weir.headers", "ietf"));
      assertEquals(List.of(), warnings);
      ApplicationWeirs.get(Map.of("weir.headers", "both", "weir.secret", "hidden"));
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
