package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.opentelemetry.api.trace.Span;
import io.weir.Weir;
import io.weir.annotation.RateLimit;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Weir beside an API of OpenTelemetry that has spans, but lacks the classes of attributes. */
class OldOpenTelemetryTest {
  @Test
  void decisionsAreMadeWithoutSpans() throws Exception {
    try (OldApi old = new OldApi()) {
      Object use =
          Class.forName(Use.class.getName(), true, old).getDeclaredConstructor().newInstance();
      assertEquals("started", ((Supplier<?>) use).get());
    }
  }

  /** Loads Weir's classes again, and OpenTelemetry's without attributes; all others are shared. */
  private static final class OldApi extends URLClassLoader {
    OldApi() throws IOException {
      super(
          new URL[] {
            place(Weir.class), place(RateLimit.class), place(Use.class), place(Span.class)
          },
          OldOpenTelemetryTest.class.getClassLoader());
    }

    private static URL place(Class<?> type) {
      return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith("io.opentelemetry.api.common.")) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith("io.weir.") && !name.startsWith("io.opentelemetry.api.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }

  /** Builds a Weir. */
  public static final class Use implements Supplier<String> {
    /** For the loader. */
    public Use() {}

    @Override
    public String get() {
      try (Weir weir = Weir.builder().onlyGivenSettings().build()) {
        return weir.isStoreAway() ? "" : "started";
      }
    }
  }
}
