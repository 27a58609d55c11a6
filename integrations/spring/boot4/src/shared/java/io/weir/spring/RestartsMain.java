package io.weir.spring;

import java.beans.Introspector;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * Starts and stops an application in class loaders of its own, as the devtools of Spring Boot do,
 * and waits until those are collected.
 */
public final class RestartsMain {
  private RestartsMain() {}

  /** The application. */
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(WeirAutoConfiguration.class)
  public static class Application {}

  /** Starts and stops it. */
  public static class Run implements Callable<Object> {
    @Override
    public Object call() {
      Applications.start(Application.class, "weir.headers=none").close();
      return this;
    }
  }

  /** Defines the classes of the application anew, and has all others of its parent. */
  private static final class Restarted extends ClassLoader {
    Restarted() {
      super(RestartsMain.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known == null && name.startsWith(RestartsMain.class.getName())) {
          try (InputStream in =
              getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            byte[] code = in.readAllBytes();
            return defineClass(name, code, 0, code.length);
          } catch (IOException broken) {
            throw new ClassNotFoundException(name, broken);
          }
        }
        return known != null ? known : super.loadClass(name, resolve);
      }
    }
  }

  /**
   * Restarts twice.
   *
   * @param arguments none
   * @throws Exception if a class loader stays in memory
   */
  public static void main(String[] arguments) throws Exception {
    for (int each = 0; each < 2; each++) {
      WeakReference<ClassLoader> loader = restarted();
      long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
      while (loader.get() != null) {
        if (System.nanoTime() > end) {
          throw new IllegalStateException("still in memory");
        }
        Introspector.flushCaches();
        System.gc();
        Thread.sleep(50);
      }
    }
    System.out.println("all gone");
    System.exit(0);
  }

  private static WeakReference<ClassLoader> restarted() throws Exception {
    ClassLoader loader = new Restarted();
    Thread thread =
        new Thread(
            () -> {
              try {
                Class<?> run = loader.loadClass(Run.class.getName());
                ((Callable<?>) run.getDeclaredConstructor().newInstance()).call();
              } catch (Exception broken) {
                throw new IllegalStateException(broken);
              }
            });
    thread.setContextClassLoader(loader);
    thread.start();
    thread.join();
    return new WeakReference<>(loader);
  }
}
