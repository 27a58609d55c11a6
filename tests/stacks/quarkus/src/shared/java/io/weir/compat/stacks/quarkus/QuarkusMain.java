package io.weir.compat.stacks.quarkus;

import io.weir.compat.stack.StackMain;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the application that Quarkus has built, each time by a class loader of its own, as if it
 * were installed anew.
 */
public final class QuarkusMain {
  /** The path of the runner's jar, whose manifest names all libraries. */
  static final String APPLICATION = "weir.test.application";

  /** Libraries that the application has beside them. */
  static final String LIBRARIES = "weir.test.more-libraries";

  private QuarkusMain() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(QuarkusMain::start);
  }

  private static AutoCloseable start(int port) throws Exception {
    System.setProperty("quarkus.http.port", Integer.toString(port));
    URLClassLoader loader =
        new URLClassLoader(places().toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    Class<?> type = loader.loadClass("io.quarkus.runner.ApplicationImpl");
    Object application = type.getDeclaredConstructor().newInstance();
    try {
      type.getMethod("start", String[].class).invoke(application, (Object) new String[0]);
    } catch (InvocationTargetException failed) {
      loader.close();
      throw failed;
    }
    return () -> {
      type.getMethod("stop").invoke(application);
      loader.close();
      Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
    };
  }

  private static List<URL> places() throws MalformedURLException {
    List<URL> places = new ArrayList<>();
    places.add(Path.of(System.getProperty(APPLICATION)).toUri().toURL());
    for (String each : System.getProperty(LIBRARIES, "").split(File.pathSeparator)) {
      if (!each.isEmpty()) {
        places.add(Path.of(each).toUri().toURL());
      }
    }
    return places;
  }
}
