package io.weir.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.RateLimit;
import io.weir.test.log.LogLines;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigBuilder;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.junit.jupiter.api.Test;

/**
 * Weir on a server of an earlier MicroProfile, whose API and provider lack methods that Weir uses.
 */
class OldMicroProfileTest {
  /** A provider of the first version: it has values and names, but no expressions. */
  private static Config provider(Map<String, String> values) {
    return (Config)
        Proxy.newProxyInstance(
            Config.class.getClassLoader(),
            new Class<?>[] {Config.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getOptionalValue" -> Optional.ofNullable(values.get(arguments[0]));
                  case "getPropertyNames" -> values.keySet();
                  case "hashCode" -> 1;
                  default -> throw new AbstractMethodError(method.getName());
                });
  }

  @Test
  void theApiOfVersionOneIsReadAsFarAsItGoes() throws Exception {
    try (OldApi old = new OldApi()) {
      assertEquals("ietf of 1.4", old.apply(Use.class, "weir.headers"));
    }
  }

  @Test
  void aProviderOfVersionOneIsReadAsFarAsItGoes() {
    Config config = provider(Map.of("weir.headers", "ietf"));
    try (LiveSettings live = load(Optional.of(config), Map.of())) {
      assertEquals("ietf", live.current().text("weir.headers", ""));
      live.refresh();
      assertEquals("ietf", live.current().text("weir.headers", ""));
    }
  }

  @Test
  void oneThatCantBeUsedAtAllIsLoggedAndLeftOut() {
    try (LogLines logged = new LogLines(SettingsLoader.class);
        LiveSettings live = load(Optional.empty(), Map.of("weir.headers", "none"))) {
      assertEquals("none", live.current().text("weir.headers", ""));
      List<String> lines = logged.containing("MicroProfile Config");
      assertEquals(1, lines.size());
      assertTrue(lines.get(0).contains("its settings aren't read"), lines.get(0));
    }
  }

  private static LiveSettings load(Optional<Config> config, Map<String, String> onTop) {
    ConfigProviderResolver before = ConfigProviderResolver.instance();
    ConfigProviderResolver.setInstance(new Resolver(config));
    try {
      return LiveSettings.load(OldMicroProfileTest.class.getClassLoader(), onTop);
    } finally {
      ConfigProviderResolver.setInstance(before);
    }
  }

  /** Has one configuration; empty if it is broken. */
  private static final class Resolver extends ConfigProviderResolver {
    private final Optional<Config> config;

    Resolver(Optional<Config> config) {
      this.config = config;
    }

    @Override
    public Config getConfig() {
      return config.orElseThrow(() -> new NoSuchMethodError("on purpose"));
    }

    @Override
    public Config getConfig(ClassLoader loader) {
      return getConfig();
    }

    @Override
    public ConfigBuilder getBuilder() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void registerConfig(Config other, ClassLoader loader) {}

    @Override
    public void releaseConfig(Config other) {}
  }

  /** Loads Weir's classes again, with the API of version 1; all others are shared. */
  private static final class OldApi extends URLClassLoader {
    OldApi() throws IOException {
      super(
          new URL[] {
            Path.of(System.getProperty("weir.test.old-microprofile")).toUri().toURL(),
            place(LiveSettings.class),
            place(RateLimit.class),
            place(Use.class)
          },
          OldMicroProfileTest.class.getClassLoader());
    }

    private static URL place(Class<?> type) {
      return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.weir.") && !name.startsWith("org.eclipse.microprofile.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }

    @SuppressWarnings("unchecked") // both sides know the classes of Java alike
    String apply(Class<? extends UnaryOperator<String>> use, String text)
        throws ReflectiveOperationException {
      Object here = Class.forName(use.getName(), true, this).getDeclaredConstructor().newInstance();
      return ((UnaryOperator<String>) here).apply(text);
    }
  }

  /** Reads a setting, where the API is of version 1. */
  public static final class Use implements UnaryOperator<String> {
    /** For the loader. */
    public Use() {}

    @Override
    public String apply(String name) {
      boolean isOld = // what Weir asks for came with version 2
          Arrays.stream(Config.class.getMethods())
              .noneMatch(each -> each.getName().equals("getConfigValue"));
      ConfigProviderResolver.setInstance(
          new Resolver(Optional.of(provider(Map.of("weir.headers", "ietf")))));
      try (LiveSettings live = LiveSettings.load(Use.class.getClassLoader(), Map.of())) {
        return live.current().text(name, "") + (isOld ? " of 1.4" : "");
      }
    }
  }
}
