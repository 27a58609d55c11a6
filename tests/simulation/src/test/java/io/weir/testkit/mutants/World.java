package io.weir.testkit.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * All of Weir loaded once more, with some of its classes changed: in this world the mistake is made
 * everywhere, in the one outside nowhere.
 *
 * <p>The two share nothing but the classes of Java and of libraries; so they talk in those.
 */
final class World extends ClassLoader {
  private static final String OURS = "io.weir.";

  private final Map<String, byte[]> changed;

  private World(Map<String, byte[]> changed) {
    super(World.class.getClassLoader());
    this.changed = changed;
  }

  /** One without any mistake. */
  static World right() {
    return new World(Map.of());
  }

  static World with(Mutant mutant) {
    return new World(Sources.compile(mutant.sources()));
  }

  /** The scenario as it is in this world: from a seed to what was broken. */
  @SuppressWarnings("unchecked") // the constants of Scenario are such functions, in every world
  LongFunction<List<String>> scenario(Scenario scenario) {
    try {
      Class<?> here = Class.forName(Scenario.class.getName(), true, this);
      Method named = here.getDeclaredMethod("valueOf", String.class);
      named.setAccessible(true); // the package of this name is another one there
      return (LongFunction<List<String>>) named.invoke(null, scenario.name());
    } catch (ReflectiveOperationException impossible) {
      throw new LinkageError("no scenario " + scenario, impossible);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? findClass(name) : loaded;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = changed.containsKey(name) ? changed.get(name) : original(name);
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] original(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException unreadable) {
      throw new ClassNotFoundException(name, unreadable);
    }
  }
}
