package io.weir.internal.container;

import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Warns once if an application with Spring Boot has Weir on its class path but not the module that
 * limits Spring's endpoints. Spring Boot makes it for each application, since {@code
 * META-INF/spring.factories} names it; nothing else loads this class.
 *
 * <p>Safe for concurrent use.
 */
final class MissingSpringStarter implements ApplicationListener<ContextRefreshedEvent> {
  private static final System.Logger LOG = System.getLogger(MissingSpringStarter.class.getName());
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  /** Makes one; Spring Boot calls it by reflection. */
  MissingSpringStarter() {}

  @Override
  public void onApplicationEvent(ContextRefreshedEvent event) {
    ClassLoader own = event.getApplicationContext().getClassLoader();
    ClassLoader loader = own == null ? MissingSpringStarter.class.getClassLoader() : own;
    if (!isPresent(loader) && WARNED.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Weir is on the class path, but without the starter @RateLimit has no effect on Spring's"
              + " endpoints and beans: add the dependency io.weir:weir-spring-boot-starter, or"
              + " io.weir:weir-spring-boot3-starter for Spring Boot 3.");
    }
  }

  private static boolean isPresent(ClassLoader loader) {
    try {
      Class.forName("io.weir.spring.WeirAutoConfiguration", false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }
}
