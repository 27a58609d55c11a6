package io.weir.spring;

import io.weir.InvalidPolicyException;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedEndpoint;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;

/**
 * Finds the policies that limit the handlers of Spring MVC or WebFlux, and the names of their
 * paths.
 *
 * <p>Safe for concurrent use.
 */
public final class SpringHandlers {
  /** The parts of Spring MVC and WebFlux that answer OPTIONS by handlers of their own. */
  private static final List<String> OPTIONS_HANDLERS =
      List.of(
          "org.springframework.web.servlet.mvc.method.",
          "org.springframework.web.reactive.result.method.");

  /**
   * Enough for all patterns of an application; a mapping may also report paths that callers send.
   */
  private static final int MAX_NAMES = 10_000;

  private final Adapter adapter;
  private final ApplicationContext context;
  private final Function<Class<?>, @Nullable Method> serving;
  private final Handler page;

  /** By class, then by method, so that a lookup allocates nothing. */
  private final ConcurrentMap<Class<?>, ConcurrentMap<Method, Handler>> methods =
      new ConcurrentHashMap<>();

  private final ConcurrentMap<Class<?>, Handler> others = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, String> names = new ConcurrentHashMap<>();

  /** True if any mapping does; a policy then counts a path in each case. */
  private volatile boolean ignoresCase;

  /**
   * A handler with the policies that limit it.
   *
   * @param limits its policies
   * @param method the method that carries them, as it is written; null for a handler without one
   * @param answersHead whether it has a mapping for HEAD of its own, instead of that for GET
   */
  public record Handler(LimitedEndpoint limits, @Nullable Method method, boolean answersHead) {}

  /**
   * A handler as it is written.
   *
   * @param type the class
   * @param method one of its methods, perhaps inherited; null for a handler that is called as a
   *     whole
   */
  private record Written(Class<?> type, @Nullable Method method) {}

  /**
   * Finds the policies of one application.
   *
   * @param adapter the application's
   * @param context knows the classes of handlers that are beans
   * @param serving finds the method that serves requests by the class of a handler that is called
   *     as a whole; null if there is none to be read
   */
  public SpringHandlers(
      Adapter adapter, ApplicationContext context, Function<Class<?>, @Nullable Method> serving) {
    this.adapter = adapter;
    this.context = context;
    this.serving = serving;
    this.page = new Handler(adapter.withoutClass(), null, false);
  }

  /**
   * Returns the handler of a page or of another one that has no class to read.
   *
   * @return has the policy of {@code weir.application.*}, if there is one
   */
  public Handler page() {
    return page;
  }

  /**
   * Validates the annotations of all handlers, and what settings bind to them.
   *
   * @param handlers as mappings list them: methods, objects, or names of beans
   * @throws InvalidPolicyException if there are mistakes; the message lists all
   */
  public void check(Collection<?> handlers) {
    List<Written> read =
        handlers.stream()
            .map(this::written)
            .filter(each -> !SpringClasses.isOfSpring(each.type()) && isNamed(each.type()))
            .toList();
    Set<Class<?>> types = new LinkedHashSet<>();
    read.forEach(each -> types.add(each.type()));
    List<String> mistakes = new ArrayList<>();
    collect(mistakes, () -> adapter.check(types, SpringEndpoints.TYPE));
    if (mistakes.isEmpty()) {
      read.forEach(each -> collect(mistakes, () -> of(each)));
    }
    InvalidPolicyException.throwIfAny(mistakes);
  }

  private static void collect(List<String> mistakes, Runnable check) {
    try {
      check.run();
    } catch (InvalidPolicyException found) {
      mistakes.addAll(found.mistakes());
    }
  }

  /**
   * Returns whether Spring itself answers OPTIONS by a handler.
   *
   * @param handler as a mapping has found it
   * @return false for handlers of the application
   */
  public static boolean answersOptions(Object handler) {
    return handler instanceof HandlerMethod method
        && OPTIONS_HANDLERS.stream().anyMatch(method.getBeanType().getName()::startsWith);
  }

  /**
   * Finds the policies of a handler.
   *
   * @param handler as a mapping has found it
   * @return the same object for the same method or class
   */
  public Handler of(Object handler) {
    return handler instanceof HandlerMethod method
        ? ofMethod(typeOf(method), method.getMethod())
        : ofObject(typeOf(handler));
  }

  private Handler of(Written handler) {
    Method method = handler.method();
    return method == null ? ofObject(handler.type()) : ofMethod(handler.type(), method);
  }

  private Written written(Object handler) {
    if (handler instanceof HandlerMethod method) {
      Class<?> type =
          method.getBean() instanceof String name
              ? typeOfBean(name, method.getBeanType())
              : typeOf(method);
      return new Written(type, method.getMethod());
    }
    return new Written(
        handler instanceof String name ? typeOfBean(name, Object.class) : typeOf(handler), null);
  }

  private static Class<?> typeOf(HandlerMethod handler) {
    Object bean = handler.getBean();
    return AopUtils.isAopProxy(bean) ? typeOf(bean) : handler.getBeanType();
  }

  /** Returns the class of an object as it is written: neither a proxy nor a generated subclass. */
  private static Class<?> typeOf(Object object) {
    return ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(object));
  }

  private Class<?> typeOfBean(String name, Class<?> otherwise) {
    if (!(context.getAutowireCapableBeanFactory() instanceof ConfigurableListableBeanFactory beans)
        || !beans.containsBeanDefinition(name)) {
      return otherwise;
    }
    if (beans.containsSingleton(name)) {
      return typeOf(beans.getBean(name));
    }
    @Nullable Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
    return type == null ? otherwise : ClassUtils.getUserClass(type);
  }

  private Handler ofMethod(Class<?> type, Method method) {
    if (SpringClasses.isOfSpring(type)) {
      return page; // an error page, or an endpoint of Actuator
    }
    ConcurrentMap<Method, Handler> ofType = methods.get(type);
    Handler found = ofType == null ? null : ofType.get(method);
    return found != null
        ? found
        : methods
            .computeIfAbsent(type, any -> new ConcurrentHashMap<>())
            .computeIfAbsent(method, any -> read(type, method));
  }

  private Handler ofObject(Class<?> type) {
    if (SpringClasses.isOfSpring(type) || !isNamed(type)) {
      return page;
    }
    Handler found = others.get(type);
    return found != null ? found : others.computeIfAbsent(type, this::read);
  }

  private Handler read(Class<?> type) {
    @Nullable Method method = serving.apply(type);
    return method == null
        ? new Handler(adapter.endpoint(type, SpringEndpoints.TYPE), null, false)
        : read(type, method);
  }

  private Handler read(Class<?> type, Method method) {
    Method written =
        BridgeMethodResolver.findBridgedMethod(ClassUtils.getMostSpecificMethod(method, type));
    return new Handler(
        adapter.endpoint(type, written, SpringEndpoints.TYPE), written, answersHead(written));
  }

  /** Returns whether a mapping names HEAD, but not GET. */
  private static boolean answersHead(Method method) {
    MergedAnnotation<RequestMapping> mapping =
        MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(RequestMapping.class);
    if (!mapping.isPresent()) {
      return false;
    }
    List<RequestMethod> named = List.of(mapping.getEnumArray("method", RequestMethod.class));
    return named.contains(RequestMethod.HEAD) && !named.contains(RequestMethod.GET);
  }

  /** Returns whether a class has a name that stays the same: not that of a lambda. */
  private static boolean isNamed(Class<?> type) {
    return !type.isHidden() && !type.isSynthetic() && !type.isAnonymousClass();
  }

  /** Notes that a mapping finds handlers for paths in any case. */
  public void ignoreCase() {
    ignoresCase = true;
  }

  /**
   * Returns the policies of a path, as a mapping matches it.
   *
   * @param path the decoded path within the application
   * @return those of all URL patterns that match
   */
  public LimitedEndpoint byPath(String path) {
    return adapter.endpoint(path, true, ignoresCase);
  }

  /**
   * Returns the name of an endpoint that no pattern names.
   *
   * @param path the decoded path within the application
   * @return the path in the one case that counts
   */
  public String nameOfPath(String path) {
    return ignoresCase ? PathCase.fold(path) : path;
  }

  /**
   * Returns the name of an endpoint.
   *
   * @param pattern as Spring writes it
   * @return the pattern without regular expressions
   */
  public String nameOfPattern(String pattern) {
    String found = names.get(pattern);
    if (found == null) {
      found = PathTemplate.of(pattern);
      if (names.size() < MAX_NAMES) {
        names.put(pattern, found);
      }
    }
    return found;
  }

  /**
   * Reads the variables of the path that a mapping has left.
   *
   * @param attribute what the request has under the name that Spring documents; null if nothing
   * @return decoded values by name
   */
  @SuppressWarnings("unchecked") // so Spring documents the attribute
  public static Map<String, String> variables(@Nullable Object attribute) {
    return attribute instanceof Map<?, ?> variables ? (Map<String, String>) variables : Map.of();
  }
}
