package io.weir.cdi;

import jakarta.enterprise.inject.build.compatible.spi.BeanInfo;
import jakarta.enterprise.inject.build.compatible.spi.BuildCompatibleExtension;
import jakarta.enterprise.inject.build.compatible.spi.ClassConfig;
import jakarta.enterprise.inject.build.compatible.spi.Discovery;
import jakarta.enterprise.inject.build.compatible.spi.Enhancement;
import jakarta.enterprise.inject.build.compatible.spi.Messages;
import jakarta.enterprise.inject.build.compatible.spi.MethodConfig;
import jakarta.enterprise.inject.build.compatible.spi.Registration;
import jakarta.enterprise.inject.build.compatible.spi.ScannedClasses;
import jakarta.enterprise.inject.build.compatible.spi.Synthesis;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticComponents;
import jakarta.enterprise.inject.build.compatible.spi.Validation;
import jakarta.enterprise.lang.model.declarations.ClassInfo;
import jakarta.enterprise.lang.model.declarations.MethodInfo;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Limits the methods of CDI beans by their {@code @RateLimit}: binds Weir's interceptor to each
 * method that has a limit, and refuses what the container can't intercept, by name.
 *
 * <p>Found as a service by every container of CDI 4. It has an effect only where a class has
 * limits.
 */
public final class RateLimitExtension implements BuildCompatibleExtension {
  private final Map<String, Boolean> marked = new HashMap<>();
  private final UninterceptedObjects others = new UninterceptedObjects(marked);

  /** Methods of beans that have limits, for {@link LimitedMethods}. */
  private final Set<String> limited = new TreeSet<>();

  private final Set<String> mistakes = new LinkedHashSet<>();

  /** Called by the container. */
  public RateLimitExtension() {}

  /**
   * Adds the interceptor, since this jar isn't searched for beans.
   *
   * @param classes the classes of the application
   */
  @Discovery
  public void addInterceptor(ScannedClasses classes) {
    classes.add(MethodLimits.class.getName());
    classes.add(RateLimitInterceptor.class.getName());
  }

  /**
   * Binds the interceptor to the limited methods of a class.
   *
   * @param type a class that has limits, and may become a bean
   * @param messages shows which container this is
   */
  @Enhancement(types = Object.class, withSubtypes = true, withAnnotations = HasLimits.class)
  public void bind(ClassConfig type, Messages messages) {
    bindMethods(type, Container.of(messages));
  }

  /** Binds the interceptor to what it can intercept of a class. */
  static void bindMethods(ClassConfig type, Container container) {
    if (!LimitedClass.mayBeBean(type.info())) {
      return;
    }
    Set<String> left = new TreeSet<>();
    for (MethodInfo each : interception(type.info(), container).intercepted()) {
      left.add(place(each));
    }
    for (MethodConfig each : type.methods()) {
      MethodInfo method = each.info();
      if (!LimitedClass.isGenerated(method)
          && left.remove(place(method))
          && !method.hasAnnotation(Limited.class)) {
        each.addAnnotation(Limited.class);
      }
    }
    if (!left.isEmpty()) { // default methods of interfaces
      type.addAnnotation(Limited.class);
    }
  }

  private static String place(MethodInfo method) {
    return LimitedMethods.line(method.declaringClass().name(), Erasure.of(method));
  }

  private static InterceptionCheck interception(ClassInfo type, Container container) {
    return new InterceptionCheck(new LimitedClass(type), container);
  }

  /**
   * Notes a class, whether it becomes a bean or not.
   *
   * @param type any class
   */
  @Enhancement(types = Object.class, withSubtypes = true)
  public void note(ClassInfo type) {
    if (!LimitedClass.mayLimit(type, marked)) {
      return;
    }
    LimitedClass limits = new LimitedClass(type);
    if (LimitedClass.mayBeBean(type)) {
      others.addClass(limits);
    } else if (LimitedClass.runsAroundBeans(type) && limits.isAnnotated()) {
      mistakes.add(
          type.name()
              + " has limits, but runs around beans: the container intercepts no call of an"
              + " interceptor or decorator; put the limits on the beans");
    }
  }

  /**
   * Notes how a bean is made, and checks its limits.
   *
   * @param bean a bean
   * @param messages shows which container this is
   */
  @Registration(types = Object.class)
  public void note(BeanInfo bean, Messages messages) {
    others.addBean(bean);
    if (bean.isClassBean()
        && LimitedClass.mayBeBean(bean.declaringClass())
        && LimitedClass.mayLimit(bean.declaringClass(), marked)) {
      InterceptionCheck check = interception(bean.declaringClass(), Container.of(messages));
      mistakes.addAll(check.mistakes());
      check
          .intercepted()
          .forEach(
              each ->
                  limited.add(LimitedMethods.line(bean.declaringClass().name(), Erasure.of(each))));
    }
  }

  /**
   * Hands the list of limited methods on to the running application.
   *
   * @param components takes the list
   */
  @Synthesis
  public void handOn(SyntheticComponents components) {
    components
        .addBean(LimitedMethods.class)
        .type(LimitedMethods.class)
        .scope(Singleton.class)
        .withParam(LimitedMethods.PARAMETER, limited.toArray(String[]::new))
        .createWith(LimitedMethods.Creator.class);
  }

  /**
   * Refuses limits that can't be enforced.
   *
   * @param messages takes one message for each
   */
  @Validation
  public void refuse(Messages messages) {
    mistakes.forEach(messages::error);
    others.report(messages);
  }
}
