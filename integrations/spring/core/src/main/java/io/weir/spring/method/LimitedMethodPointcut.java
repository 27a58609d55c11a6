package io.weir.spring.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Selects the methods that limits may apply to. The handlers of a controller that no other bean
 * calls are left to the web adapter, so that a controller isn't proxied for its limits alone: a
 * proxy costs time, can't be made of each class, and changes which methods Spring can call.
 *
 * <p>Safe for concurrent use.
 */
final class LimitedMethodPointcut extends StaticMethodMatcher implements Pointcut, ClassFilter {
  private final ConfigurableListableBeanFactory beans;
  private final LimitedClasses classes = new LimitedClasses();
  private final ControllerCallers callers;
  private final boolean web;
  private final boolean grpc;

  /**
   * Selects the methods of an application's beans.
   *
   * @param web whether a web adapter limits the handlers of controllers
   * @param grpc whether an adapter limits the services of gRPC
   */
  LimitedMethodPointcut(ConfigurableListableBeanFactory beans, boolean web, boolean grpc) {
    this.beans = beans;
    this.callers = new ControllerCallers(beans);
    this.web = web;
    this.grpc = grpc;
  }

  @Override
  public ClassFilter getClassFilter() {
    return this;
  }

  @Override
  public MethodMatcher getMethodMatcher() {
    return this;
  }

  @Override
  public boolean matches(Class<?> type) {
    Class<?> written = ClassUtils.getUserClass(type);
    return !classes.of(written).isEmpty() && isProxyable(written);
  }

  @Override
  public boolean matches(Method method, @Nullable Class<?> targetClass) {
    Class<?> written =
        ClassUtils.getUserClass(targetClass == null ? method.getDeclaringClass() : targetClass);
    LimitedClass limited = classes.of(written);
    if (limited.isEmpty()) {
      return false;
    }
    Method runs =
        Proxy.isProxyClass(written) ? method : AopUtils.getMostSpecificMethod(method, written);
    return limited.limits(runs) && !isLeftToAdapter(written, runs);
  }

  LimitedClass limits(Class<?> written) {
    return classes.of(written);
  }

  /** Returns whether the adapter of its endpoint alone limits a method. */
  boolean isLeftToAdapter(Class<?> written, Method method) {
    return isEndpoint(written, method)
        && (!mayBeCalled(written) || !WebMethods.canBeProxied(written));
  }

  /** Returns whether a method answers requests of the web, or calls of gRPC. */
  boolean isEndpoint(Class<?> written, Method method) {
    return web && WebMethods.isHandler(written, method) || isGrpcService(written);
  }

  private boolean isGrpcService(Class<?> written) {
    return grpc && WebMethods.isGrpcService(written);
  }

  /** Returns whether other beans may call the handlers of a class: not those of gRPC. */
  boolean mayBeCalled(Class<?> controller) {
    return !isGrpcService(controller) && callers.mayCall(controller);
  }

  /**
   * Returns whether Spring can make a proxy of a class. A final one has a proxy by its interfaces,
   * unless Spring is set to proxy classes, which is the default of Spring Boot, or has to.
   */
  boolean isProxyable(Class<?> written) {
    return !isFinal(written)
        || Proxy.isProxyClass(written)
        || ClassUtils.isLambdaClass(written)
        || !isProxiedByClass()
            && !WebMethods.isFoundByClass(written)
            && ClassUtils.getAllInterfacesForClass(written).length > 0;
  }

  private static boolean isFinal(Class<?> type) {
    return Modifier.isFinal(type.getModifiers());
  }

  /** Returns whether Spring proxies classes where it could proxy interfaces. */
  boolean isProxiedByClass() {
    String creator = AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME;
    return beans.containsBean(creator)
        && beans.getBean(creator) instanceof ProxyConfig config
        && config.isProxyTargetClass();
  }

  /**
   * Returns whether Spring proxies the objects of a class for their limits, and does so by class: a
   * proxy by interfaces isn't a controller any more, and its handlers would answer 404.
   */
  boolean isProxiedByClass(Class<?> type) {
    Class<?> written = ClassUtils.getUserClass(type);
    return !isFinal(written)
        && matches(type)
        && classes.of(written).methods().stream().anyMatch(each -> !isLeftToAdapter(written, each))
        && (isProxiedByClass()
            || WebMethods.isFoundByClass(written)
            || !ProxiedInterfaces.suit(written));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
