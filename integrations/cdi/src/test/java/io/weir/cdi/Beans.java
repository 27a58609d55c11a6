package io.weir.cdi;

import io.weir.RateLimitExceededException;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.enterprise.inject.spi.Extension;
import java.lang.annotation.Annotation;
import java.util.ServiceLoader;

/** A container with some classes as its beans, and Weir as any application has it. */
final class Beans implements AutoCloseable {
  private final SeContainer container;

  private Beans(SeContainer container) {
    this.container = container;
  }

  static Beans of(Class<?>... classes) {
    SeContainerInitializer container =
        SeContainerInitializer.newInstance().disableDiscovery().addBeanClasses(classes);
    ServiceLoader.load(Extension.class).forEach(container::addExtensions);
    return new Beans(container.initialize());
  }

  <T> T get(Class<T> type, Annotation... qualifiers) {
    return container.select(type, qualifiers).get();
  }

  void fire(Object event) {
    container.getBeanManager().getEvent().fire(event);
  }

  /** A call of a bean. */
  @FunctionalInterface
  interface Call {
    void run() throws Exception;
  }

  /** Makes a call several times, and returns how often it was admitted. */
  static int admitted(int times, Call call) throws Exception {
    int admitted = 0;
    for (int at = 0; at < times; at++) {
      try {
        call.run();
        admitted++;
      } catch (RateLimitExceededException refused) {
        // counted by what is missing
      }
    }
    return admitted;
  }

  @Override
  public void close() {
    container.close();
  }
}
