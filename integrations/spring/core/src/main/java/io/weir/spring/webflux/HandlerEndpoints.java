package io.weir.spring.webflux;

import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedEndpoint;
import io.weir.spring.SpringClasses;
import io.weir.spring.SpringEndpoints;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * Finds the policies that limit the handlers of an application.
 *
 * <p>Safe for concurrent use.
 */
final class HandlerEndpoints {
  /** The part of WebFlux that answers OPTIONS by handlers of its own. */
  private static final String OPTIONS_HANDLERS = "org.springframework.web.reactive.result.method.";

  private final Adapter adapter;
  private final ApplicationContext context;

  /** The limits of a page or of a function that has no class to read. */
  private final Endpoint page;

  /** By class, then by method, so that a lookup allocates nothing. */
  private final ConcurrentMap<Class<?>, ConcurrentMap<Method, Endpoint>> methods =
      new ConcurrentHashMap<>();

  private final ConcurrentMap<Class<?>, Endpoint> others = new ConcurrentHashMap<>();

  /**
   * The limits of a handler.
   *
   * @param limits its policies
   * @param method the method that carries them, as it is written; null for a handler without one
   * @param answersHead whether it has a mapping for HEAD of its own, instead of that for GET
   */
  record Endpoint(LimitedEndpoint limits, @Nullable Method method, boolean answersHead) {}

  /**
   * A handler method of a controller, as it is written.
   *
   * @param type the class
   * @param method one of its methods, perhaps inherited
   */
  private record Written(Class<?> type, Method method) {}

  HandlerEndpoints(Adapter adapter, ApplicationContext context) {
    this.adapter = adapter;
    this.context = context;
    this.page = new Endpoint(adapter.withoutClass(), null, false);
  }

  /** Validates the annotations of all handlers that are known at the start. */
  void check(Collection<HandlerMethod> handlers) {
    List<Written> all =
        handlers.stream()
            .map(this::written)
            .filter(each -> !SpringClasses.isOfSpring(each.type()))
            .toList();
    Set<Class<?>> types = new LinkedHashSet<>();
    all.forEach(each -> types.add(each.type()));
    adapter.check(types, SpringEndpoints.TYPE);
    all.forEach(this::ofMethod);
  }

  /** Finds the limits of a handler; null if WebFlux itself answers OPTIONS. */
  @Nullable Endpoint of(Object handler) {
    if (handler instanceof HandlerMethod method) {
      return method.getBeanType().getName().startsWith(OPTIONS_HANDLERS)
          ? null
          : ofMethod(written(method));
    }
    return ofObject(ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(handler)));
  }

  private Written written(HandlerMethod handler) {
    return new Written(typeOf(handler), handler.getMethod());
  }

  /** Returns the class as it is written: neither a proxy nor a generated subclass. */
  private Class<?> typeOf(HandlerMethod handler) {
    Object bean = handler.getBean();
    if (!(bean instanceof String name)) {
      return AopUtils.isAopProxy(bean)
          ? ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean))
          : handler.getBeanType();
    }
    Class<?> target =
        factory() == null ? null : AutoProxyUtils.determineTargetClass(factory(), name);
    return target == null ? handler.getBeanType() : ClassUtils.getUserClass(target);
  }

  private @Nullable ConfigurableListableBeanFactory factory() {
    return context instanceof ConfigurableApplicationContext configurable
        ? configurable.getBeanFactory()
        : null;
  }

  private Endpoint ofMethod(Written handler) {
    if (SpringClasses.isOfSpring(handler.type())) {
      return page; // such as an endpoint of Actuator
    }
    ConcurrentMap<Method, Endpoint> ofType = methods.get(handler.type());
    Endpoint found = ofType == null ? null : ofType.get(handler.method());
    return found != null
        ? found
        : methods
            .computeIfAbsent(handler.type(), any -> new ConcurrentHashMap<>())
            .computeIfAbsent(handler.method(), any -> read(handler.type(), handler.method()));
  }

  private Endpoint read(Class<?> type, Method method) {
    Method written =
        BridgeMethodResolver.findBridgedMethod(ClassUtils.getMostSpecificMethod(method, type));
    return new Endpoint(
        adapter.endpoint(type, written, SpringEndpoints.TYPE), written, answersHead(written));
  }

  private static boolean answersHead(Method method) {
    MergedAnnotation<RequestMapping> mapping =
        MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(RequestMapping.class);
    if (!mapping.isPresent()) {
      return false;
    }
    List<RequestMethod> named = List.of(mapping.getEnumArray("method", RequestMethod.class));
    return named.contains(RequestMethod.HEAD) && !named.contains(RequestMethod.GET);
  }

  private Endpoint ofObject(Class<?> type) {
    if (SpringClasses.isOfSpring(type) || !isNamed(type)) {
      return page;
    }
    Endpoint found = others.get(type);
    return found != null ? found : others.computeIfAbsent(type, this::readObject);
  }

  private Endpoint readObject(Class<?> type) {
    return HandlerFunction.class.isAssignableFrom(type)
        ? read(type, ClassUtils.getMethod(HandlerFunction.class, "handle", ServerRequest.class))
        : new Endpoint(adapter.endpoint(type, SpringEndpoints.TYPE), null, false);
  }

  /** Returns whether a class has a name that stays the same: not that of a lambda. */
  private static boolean isNamed(Class<?> type) {
    return !type.isHidden() && !type.isSynthetic() && !type.isAnonymousClass();
  }
}
