package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.RateLimitExceededException;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedCall;
import io.weir.annotation.RateLimit;
import io.weir.internal.guard.GuardedEndpoint;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An application that starts again in one class loader, below a Weir that goes on. */
class RestartedApplicationTest {
  private static final Object[] NOTHING = {};

  private final ClassLoader outer = Thread.currentThread().getContextClassLoader();

  /** A class of the application. */
  public static class Shop {
    /** A woven method. */
    @RateLimit(limit = 5, window = 60, name = "buy")
    public static void buy() {}
  }

  /** Loads the class and the one around it itself, as an application does. */
  private static final class ApplicationLoader extends ClassLoader {
    ApplicationLoader(ClassLoader parent) {
      super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith(RestartedApplicationTest.class.getName())) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = file.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException unreadable) {
        throw new ClassNotFoundException(name, unreadable);
      }
    }
  }

  @BeforeEach
  void enter() {
    Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[0], outer));
  }

  @AfterEach
  void leave() {
    Thread.currentThread().setContextClassLoader(outer);
  }

  @Test
  void itsWovenCallsFollowTheSettingsAgain() throws Throwable {
    Map<String, String> settings = new ConcurrentHashMap<>();
    try (WeirRuntime weir =
        new DefaultWeirBuilder().liveSettings(() -> Map.copyOf(settings)).build().install()) {
      ClassLoader application =
          new ApplicationLoader(Thread.currentThread().getContextClassLoader());
      Class<?> shop = application.loadClass(Shop.class.getName());
      assertSame(application, shop.getClassLoader());
      Method buy = shop.getMethod("buy");
      LimitedCall call = LimitedCall.of(shop, buy, List.of());
      GuardedEndpoint before;
      try (WeirHandle handle = WeirHandle.open(application)) {
        assertSame(weir, handle.weir(Map.of()));
        call.run(NOTHING, () -> "bought");
        before = weir.endpoint(shop, buy, EndpointType.METHOD);
      }
      try (WeirHandle again = WeirHandle.open(application)) {
        assertSame(weir, again.weir(Map.of()));
        assertEquals("bought", call.run(NOTHING, () -> "bought"));
        settings.put("weir.policy.buy.limit", "2");
        weir.refresh();
        assertThrows(RateLimitExceededException.class, () -> call.run(NOTHING, () -> "no"));
      }
      assertFalse(before.isEmpty(), "it is still in memory, as if no garbage was collected");
    }
  }
}
