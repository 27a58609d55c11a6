package io.weir.spring.method;

import io.weir.annotation.RateLimit;
import io.weir.annotation.RateLimits;
import io.weir.annotation.Unlimited;
import io.weir.spring.SpringClasses;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Reads the limits of beans' classes, each class once.
 *
 * <p>The limit of a class applies to its public methods, inherited ones included, but not to those
 * that the container calls or that every object has: {@code equals}, {@code hashCode}, {@code
 * toString}, setters of properties, callbacks of the life cycle, injection points and {@code @Bean}
 * methods. In a controller it applies to handlers only, in a JAX-RS resource to endpoints, and in a
 * servlet to no method, since the servlet as a whole is limited.
 *
 * <p>Safe for concurrent use; it keeps the classes in memory as long as the context lives.
 */
final class LimitedClasses {
  private static final Logger LOG = System.getLogger("io.weir.spring.method");

  /** Interfaces whose methods the container calls. */
  private static final List<Class<?>> CALLBACKS =
      List.of(
          InitializingBean.class,
          DisposableBean.class,
          AutoCloseable.class,
          SmartLifecycle.class,
          Lifecycle.class,
          Phased.class,
          Ordered.class,
          FactoryBean.class,
          SmartInitializingSingleton.class);

  /** Annotations of methods that the container calls. */
  private static final List<String> CONTAINER =
      List.of(
          "org.springframework.beans.factory.annotation.Autowired",
          "org.springframework.beans.factory.annotation.Value",
          "org.springframework.context.annotation.Bean",
          "jakarta.inject.Inject",
          "jakarta.annotation.Resource",
          "jakarta.annotation.PostConstruct",
          "jakarta.annotation.PreDestroy");

  private final Map<Class<?>, LimitedClass> known = new ConcurrentHashMap<>();

  /**
   * Returns the limits of a class.
   *
   * @param type a class as it is written, or a proxy that the JDK has made
   */
  LimitedClass of(Class<?> type) {
    LimitedClass found = known.get(type);
    return found != null ? found : known.computeIfAbsent(type, LimitedClasses::read);
  }

  private static LimitedClass read(Class<?> type) {
    if (isOfFramework(type)) {
      return LimitedClass.NONE;
    }
    try {
      Set<Method> annotated = select(type, LimitedClasses::isCallableAndLimited);
      return new LimitedClass(annotated, ofClass(type, annotated));
    } catch (LinkageError | IllegalStateException | TypeNotPresentException unreadable) {
      LOG.log(
          Level.DEBUG,
          () -> type.getName() + " can't be read for limits of its methods",
          unreadable);
      return LimitedClass.NONE;
    }
  }

  /**
   * Selects methods as they are written: a public one of a class that isn't public is repeated by
   * the compiler in a public subclass, with its annotations, and calls are known by the written
   * one.
   */
  private static Set<Method> select(Class<?> type, ReflectionUtils.MethodFilter wanted) {
    return MethodIntrospector.selectMethods(type, wanted).stream()
        .map(BridgeMethodResolver::findBridgedMethod)
        .collect(Collectors.toSet());
  }

  /** Classes of the JDK and of Spring carry no limits; reading them would cost time. */
  static boolean isOfFramework(Class<?> type) {
    return type.getName().startsWith("java.") || SpringClasses.isOfSpring(type);
  }

  private static boolean isCallableAndLimited(Method method) {
    return isVirtual(method) && isLimited(method);
  }

  private static boolean isVirtual(Method method) {
    return (method.getModifiers() & (Modifier.STATIC | Modifier.PRIVATE)) == 0;
  }

  /** Returns whether an element carries a limit, or inherits one. */
  static boolean isLimited(AnnotatedElement element) {
    return !MergedAnnotations.from(element).isPresent(Unlimited.class)
        && isLimit(MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY));
  }

  /** Returns whether an element carries a limit itself, perhaps by a composed annotation. */
  static boolean carriesLimit(AnnotatedElement element) {
    return isLimit(MergedAnnotations.from(element));
  }

  private static boolean isLimit(MergedAnnotations found) {
    return found.isPresent(RateLimit.class) || found.isPresent(RateLimits.class);
  }

  private static Set<Method> ofClass(Class<?> type, Set<Method> annotated) {
    if (!isLimited(type)) {
      return Set.of();
    }
    Set<Method> all = select(type, LimitedClasses::isOpen);
    Predicate<Method> web = WebMethods.limitedByClass(type);
    Set<Method> found = new HashSet<>();
    for (Method each : all) {
      if (!annotated.contains(each)
          && !MergedAnnotations.from(each, SearchStrategy.TYPE_HIERARCHY).isPresent(Unlimited.class)
          && web.test(each)
          && !isForContainer(type, each)) {
        found.add(each);
      }
    }
    return found;
  }

  private static boolean isOpen(Method method) {
    return Modifier.isPublic(method.getModifiers())
        && !Modifier.isStatic(method.getModifiers())
        && method.getDeclaringClass() != Object.class;
  }

  private static boolean isForContainer(Class<?> type, Method method) {
    MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
    return ReflectionUtils.isEqualsMethod(method)
        || ReflectionUtils.isHashCodeMethod(method)
        || ReflectionUtils.isToStringMethod(method)
        || CONTAINER.stream().anyMatch(annotations::isPresent)
        || isCallback(type, method)
        || isSetter(method);
  }

  private static boolean isCallback(Class<?> type, Method method) {
    return CALLBACKS.stream()
            .anyMatch(each -> each.isAssignableFrom(type) && declares(each, method))
        || ClassUtils.getAllInterfacesForClassAsSet(type).stream()
            .filter(each -> Aware.class.isAssignableFrom(each) && isOfFramework(each))
            .anyMatch(each -> declares(each, method));
  }

  private static boolean declares(Class<?> callbacks, Method method) {
    return Arrays.stream(callbacks.getMethods())
        .anyMatch(
            each ->
                each.getName().equals(method.getName())
                    && Arrays.equals(each.getParameterTypes(), method.getParameterTypes()));
  }

  /** Returns whether a method is a setter, whose calls the adapter doesn't limit by its class. */
  private static boolean isSetter(Method method) {
    return method.getReturnType() == void.class
        && method.getParameterCount() == 1
        && method.getName().matches("set\\p{Lu}.*");
  }
}
