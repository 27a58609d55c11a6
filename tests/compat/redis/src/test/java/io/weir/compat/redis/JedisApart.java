package io.weir.compat.redis;

import io.weir.Ticker;
import io.weir.annotation.RateLimit;
import io.weir.internal.redis.RedisProvider;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import redis.clients.jedis.Connection;

/**
 * Weir and the classes of these tests once more, beside a Jedis of their own; all the rest is
 * shared.
 */
final class JedisApart extends URLClassLoader {
  private final long nanosEach;
  private final AtomicLong nanos = new AtomicLong();

  private JedisApart(URL jedis, long nanosEach) {
    super(
        new URL[] {jedis, place(RedisProvider.class), place(RateLimit.class), place(Use.class)},
        JedisApart.class.getClassLoader());
    this.nanosEach = nanosEach;
  }

  /** With one that a framework brought along. */
  static JedisApart old() throws IOException {
    Path jar = Path.of(System.getProperty("weir.test.old-jedis"));
    return new JedisApart(jar.toUri().toURL(), 0);
  }

  /** With the right one, each of whose classes takes so long to load, as without a processor. */
  static JedisApart slow(Duration each) {
    return new JedisApart(place(Connection.class), each.toNanos());
  }

  /** For how long classes of Jedis were being loaded. */
  Duration slowedDown() {
    return Duration.ofNanos(nanos.get());
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
      return loaded == null ? find(name) : loaded;
    }
  }

  private Class<?> find(String name) throws ClassNotFoundException {
    long start = System.nanoTime();
    while (name.startsWith("redis.clients.") && System.nanoTime() - start < nanosEach) {
      LockSupport.parkNanos(nanosEach);
    }
    nanos.addAndGet(System.nanoTime() - start);
    return findClass(name);
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
    /** Called by the code that loads the class. */
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
