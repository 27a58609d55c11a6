package io.weir.compat.redis;

import io.weir.Ticker;
import io.weir.annotation.RateLimit;
import io.weir.internal.redis.RedisProvider;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * Weir and the classes of these tests once more, beside the Jedis that a framework brought along;
 * all the rest is shared.
 */
final class OldJedis extends URLClassLoader {
  private OldJedis(URL... urls) {
    super(urls, OldJedis.class.getClassLoader());
  }

  static OldJedis open() throws IOException {
    Path jar = Path.of(System.getProperty("weir.test.old-jedis"));
    return new OldJedis(
        jar.toUri().toURL(), place(RedisProvider.class), place(RateLimit.class), place(Use.class));
  }

  private static URL place(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean own = name.startsWith("io.weir.") || name.startsWith("redis.clients.");
    if (!own) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? findClass(name) : loaded;
    }
  }

  @Override
  public URL getResource(String name) {
    URL own = findResource(name);
    return own == null ? super.getResource(name) : own;
  }

  /** Has a class of these tests apply itself to a text, in here. */
  @SuppressWarnings("unchecked") // both sides know the classes of Java alike
  String apply(Class<? extends UnaryOperator<String>> use, String text)
      throws ReflectiveOperationException {
    Object here = Class.forName(use.getName(), true, this).getDeclaredConstructor().newInstance();
    return ((UnaryOperator<String>) here).apply(text);
  }

  /** Opens a store; what is wrong with it. */
  public static final class Use implements UnaryOperator<String> {
    /** For whoever loads it. */
    public Use() {}

    @Override
    public String apply(String url) {
      try {
        new RedisProvider().open(URI.create(url), name -> "", Ticker.system()).close();
        return "opened";
      } catch (IllegalArgumentException refused) {
        return refused.getMessage();
      }
    }
  }
}
