package io.weir.spring.web;

import io.weir.InvalidPolicyException;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.RequestValues;
import io.weir.spi.DecisionPhase;
import io.weir.spring.PathCase;
import io.weir.spring.SpringClasses;
import io.weir.spring.SpringEndpoints;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.mvc.Controller;

/**
 * The endpoints of an application's handlers: for each the policies that limit it.
 *
 * <p>Safe for concurrent use.
 */
final class MvcEndpoints {
  /** The part of Spring MVC that answers OPTIONS by handlers of its own. */
  private static final String OPTIONS_HANDLERS = "org.springframework.web.servlet.mvc.method.";

  private final Adapter adapter;
  private final PathTemplateCache templates = new PathTemplateCache();
  private final MvcHandler page;

  /** By class, then by method, so that a lookup allocates nothing. */
  private final ConcurrentMap<Class<?>, ConcurrentMap<Method, MvcHandler>> methods =
      new ConcurrentHashMap<>();

  private final ConcurrentMap<Class<?>, MvcHandler> others = new ConcurrentHashMap<>();

  /** True if the mappings of any servlet do; a policy then counts a path in each case. */
  private volatile boolean ignoresCase;

  MvcEndpoints(Adapter adapter) {
    this.adapter = adapter;
    this.page = new MvcHandler(adapter.withoutClass(), null, false);
  }

  Adapter adapter() {
    return adapter;
  }

  /** Notes that a mapping finds handlers for paths in any case. */
  void ignoreCase() {
    ignoresCase = true;
  }

  /** Returns the policies of a path, as a mapping matches it. */
  private LimitedEndpoint byPath(String path) {
    return adapter.endpoint(path, true, ignoresCase);
  }

  /** Returns the decoded path of a request that no pattern names, in the one case that counts. */
  private String name(HttpServletRequest request) {
    String path = RequestPaths.of(request);
    return ignoresCase ? PathCase.fold(path) : path;
  }

  /** Validates the annotations of all handlers, and what settings bind to them. */
  void check(List<MvcHandlers.Found> handlers) {
    Set<Class<?>> types = new LinkedHashSet<>();
    handlers.stream()
        .map(MvcHandlers.Found::type)
        .filter(each -> !SpringClasses.isOfSpring(each) && isNamed(each))
        .forEach(types::add);
    List<String> mistakes = new ArrayList<>();
    collect(mistakes, () -> adapter.check(types, SpringEndpoints.TYPE));
    if (mistakes.isEmpty()) {
      handlers.stream()
          .filter(each -> types.contains(each.type()))
          .forEach(each -> collect(mistakes, () -> read(each)));
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

  private void read(MvcHandlers.Found handler) {
    Method method = handler.method();
    if (method != null) {
      ofMethod(handler.type(), method);
    } else {
      ofObject(handler.type());
    }
  }

  /** Returns the match of a request that isn't limited here. */
  HandlerMatch unlimited() {
    return new HandlerMatch(
        null, adapter.unlimited(), "", "", "", "", Map.of(), false, null, List.of());
  }

  /**
   * Returns the match of a request for which no handler is known: a filter may answer it, such as a
   * sign-in, or Spring MVC by an error. The policies of its path and of the application count, and
   * rules.
   */
  HandlerMatch withoutHandler(HttpServletRequest request) {
    return CorsUtils.isPreFlightRequest(request) ? answeredBySpring(request) : ofPage(request);
  }

  /**
   * Returns the match of a request that Spring answers itself: no policies, unless it may carry a
   * credential, which a filter may judge.
   */
  private HandlerMatch answeredBySpring(HttpServletRequest request) {
    boolean mayCarryCredential =
        RequestValues.mayCarryCredential(
            Collections.list(JoinedValues.names(request)), request.getQueryString());
    return mayCarryCredential ? ofPage(request) : unlimited();
  }

  private HandlerMatch ofPage(HttpServletRequest request) {
    LimitedEndpoint endpoint = page.endpoint();
    String path = RequestPaths.of(request);
    if (adapter.limitsPaths()) {
      endpoint = endpoint.and(byPath(path));
    }
    return endpoint.decides(DecisionPhase.BEFORE_AUTHENTICATION)
        ? new HandlerMatch(
            null,
            endpoint,
            request.getMethod(),
            path,
            "",
            name(request),
            Map.of(),
            true,
            null,
            List.of())
        : unlimited();
  }

  /** Returns the match of a handler, with what its mapping has left in the request's attributes. */
  HandlerMatch of(Object handler, HttpServletRequest request) {
    if (CorsUtils.isPreFlightRequest(request) || answersOptions(handler)) {
      return answeredBySpring(request);
    }
    MvcHandler found = find(handler);
    String pattern =
        request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE) instanceof String text
            ? text
            : "";
    LimitedEndpoint endpoint = found.endpoint();
    String path = "";
    if (adapter.limitsPaths()) {
      path = RequestPaths.of(request);
      endpoint = endpoint.and(byPath(path));
    }
    String name = pattern.isEmpty() ? name(request) : templates.of(pattern);
    return new HandlerMatch(
        found,
        endpoint,
        request.getMethod(),
        path,
        pattern,
        name,
        variables(request),
        true,
        null,
        List.of());
  }

  @SuppressWarnings("unchecked") // so Spring documents the attribute
  private static Map<String, String> variables(HttpServletRequest request) {
    return request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE)
            instanceof Map<?, ?> variables
        ? (Map<String, String>) variables
        : Map.of();
  }

  private static boolean answersOptions(Object handler) {
    return handler instanceof HandlerMethod method
        && method.getBeanType().getName().startsWith(OPTIONS_HANDLERS);
  }

  private MvcHandler find(Object handler) {
    if (handler instanceof HandlerMethod method) {
      return ofMethod(typeOf(method), method.getMethod());
    }
    return ofObject(typeOf(handler));
  }

  private static Class<?> typeOf(HandlerMethod method) {
    Object bean = method.getBean();
    return bean instanceof String || !AopUtils.isAopProxy(bean)
        ? method.getBeanType()
        : typeOf(bean);
  }

  /** Returns the class of an object as it is written: neither a proxy nor a generated subclass. */
  static Class<?> typeOf(Object object) {
    return ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(object));
  }

  private MvcHandler ofMethod(Class<?> type, Method method) {
    if (SpringClasses.isOfSpring(type)) {
      return page; // an error page, or an endpoint of Actuator
    }
    ConcurrentMap<Method, MvcHandler> ofType = methods.get(type);
    MvcHandler found = ofType == null ? null : ofType.get(method);
    return found != null
        ? found
        : methods
            .computeIfAbsent(type, any -> new ConcurrentHashMap<>())
            .computeIfAbsent(method, any -> readMethod(type, method));
  }

  private MvcHandler readMethod(Class<?> type, Method method) {
    Method written =
        BridgeMethodResolver.findBridgedMethod(ClassUtils.getMostSpecificMethod(method, type));
    return new MvcHandler(
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

  private MvcHandler ofObject(Class<?> type) {
    if (SpringClasses.isOfSpring(type) || !isNamed(type)) {
      return page;
    }
    MvcHandler found = others.get(type);
    return found != null ? found : others.computeIfAbsent(type, this::readObject);
  }

  private MvcHandler readObject(Class<?> type) {
    Method method = servingMethod(type);
    return method == null
        ? new MvcHandler(adapter.endpoint(type, SpringEndpoints.TYPE), null, false)
        : new MvcHandler(
            adapter.endpoint(type, method, SpringEndpoints.TYPE), method, answersHead(method));
  }

  /** Finds the method of a handler that isn't the method of a controller. */
  private static @Nullable Method servingMethod(Class<?> type) {
    Method declared = null;
    if (HandlerFunction.class.isAssignableFrom(type)) {
      declared = ClassUtils.getMethod(HandlerFunction.class, "handle", ServerRequest.class);
    } else if (HttpRequestHandler.class.isAssignableFrom(type)) {
      declared = ClassUtils.getMethod(HttpRequestHandler.class, "handleRequest", (Class<?>[]) null);
    } else if (Controller.class.isAssignableFrom(type)) {
      declared = ClassUtils.getMethod(Controller.class, "handleRequest", (Class<?>[]) null);
    }
    return declared == null
        ? null
        : BridgeMethodResolver.findBridgedMethod(ClassUtils.getMostSpecificMethod(declared, type));
  }

  /** Returns whether a class has a name that stays the same: not that of a lambda. */
  private static boolean isNamed(Class<?> type) {
    return !type.isHidden() && !type.isSynthetic() && !type.isAnonymousClass();
  }
}
