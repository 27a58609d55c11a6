package io.weir.internal.rules.database;

import io.weir.Weir;
import io.weir.WeirBuilder;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Loads Weir anew, as in a process that has just begun, with or without a jar. */
public final class FreshClasses {
  private FreshClasses() {}

  /** Returns the class path of the tests. */
  public static URLClassLoader all() throws Exception {
    return without("no such jar");
  }

  /** Returns the class path of the tests without the jars of a name, a regular expression. */
  static URLClassLoader without(String jar) throws Exception {
    List<URL> others = new ArrayList<>();
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      Path file = Path.of(each);
      if (!file.getFileName().toString().matches("(" + jar + ")-\\d.*\\.jar")) {
        others.add(file.toUri().toURL());
      }
    }
    return new URLClassLoader(others.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  /** Starts a Weir of these classes. */
  public static AutoCloseable start(ClassLoader classes, Map<String, String> settings)
      throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(classes);
    try {
      return (AutoCloseable)
          call(
              () -> {
                Class<?> type = classes.loadClass(WeirBuilder.class.getName());
                Object builder =
                    classes.loadClass(Weir.class.getName()).getMethod("builder").invoke(null);
                builder = type.getMethod("onlyGivenSettings").invoke(builder);
                builder = type.getMethod("settings", Map.class).invoke(builder, settings);
                return type.getMethod("build").invoke(builder);
              });
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  /** A call by reflection. */
  interface Reflective {
    Object call() throws ReflectiveOperationException;
  }

  /** Calls a method, and throws what it throws. */
  static Object call(Reflective method) throws Exception {
    try {
      return method.call();
    } catch (InvocationTargetException thrown) {
      throw (Exception) thrown.getCause();
    }
  }
}
