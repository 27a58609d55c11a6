package io.weir.servlet;

import io.weir.annotation.RateLimit;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Logs an error at the start of an application that names the classes with annotations which
 * nothing limits: neither servlets nor resources nor woven, and not read by any adapter. A servlet,
 * since servers initialize servlets last, so frameworks have started with their adapters. It is
 * mapped to no path, serves no requests, and is added only if there are such classes.
 */
final class UnlimitedClassesCheck extends GenericServlet {
  private static final long serialVersionUID = 1;
  private static final System.Logger LOG = System.getLogger(UnlimitedClassesCheck.class.getName());

  /** In every version of Weir's adapter for Spring, which has a check of its own. */
  private static final String SPRING_ADAPTER = "io/weir/spring/package-info.class";

  private final transient List<Class<?>> classes;
  private final transient Predicate<Class<?>> limited;

  private UnlimitedClassesCheck(List<Class<?>> classes, Predicate<Class<?>> limited) {
    this.classes = classes;
    this.limited = limited;
  }

  /**
   * Adds itself to an application that has something to check.
   *
   * @param classes classes that carry limits and that neither servlets nor JAX-RS could limit
   * @param limited returns whether an adapter has read the annotations of a class
   */
  static void register(
      ServletContext context, List<Class<?>> classes, Predicate<Class<?>> limited) {
    if (classes.isEmpty() || hasSpringAdapter()) {
      return;
    }
    ServletRegistration.@Nullable Dynamic added =
        context.addServlet(
            UnlimitedClassesCheck.class.getName(), new UnlimitedClassesCheck(classes, limited));
    if (added != null) {
      added.setLoadOnStartup(Integer.MAX_VALUE);
    }
  }

  private static boolean hasSpringAdapter() {
    return Optional.ofNullable(Thread.currentThread().getContextClassLoader())
        .map(each -> each.getResource(SPRING_ADAPTER))
        .isPresent();
  }

  /** Returns whether a servlet is this one, which the application doesn't know. */
  static boolean is(ServletRegistration servlet) {
    return UnlimitedClassesCheck.class.getName().equals(servlet.getClassName());
  }

  @Override
  public void init() {
    List<Class<?>> unlimited = classes.stream().filter(limited.negate()).toList();
    if (!unlimited.isEmpty()) {
      LOG.log(
          System.Logger.Level.ERROR,
          "The annotations of "
              + AnnotatedClasses.names(unlimited)
              + " limit nothing: Weir limits servlets, JAX-RS resources and methods woven by"
              + " AspectJ, and these classes are none of them. Add Weir's adapter for their"
              + " framework, such as its Spring Boot starter, weave them with"
              + " io.weir.aspectj.RateLimitAspect, or remove their @"
              + RateLimit.class.getSimpleName());
    }
  }

  @Override
  public void service(ServletRequest request, ServletResponse response) {}
}
