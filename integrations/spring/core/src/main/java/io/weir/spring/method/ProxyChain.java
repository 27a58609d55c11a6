package io.weir.spring.method;

import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.TargetSource;
import org.springframework.aop.framework.Advised;

/** Follows proxies of proxies to the object. */
final class ProxyChain {
  private ProxyChain() {}

  /** Returns whether a proxy, or one that it leads to, runs an advice. */
  static boolean runs(Advice advice, Advised outermost) {
    Advised proxy = outermost;
    while (proxy != null) {
      if (has(advice, proxy)) {
        return true;
      }
      proxy = next(proxy);
    }
    return false;
  }

  private static boolean has(Advice advice, Advised proxy) {
    for (Advisor each : proxy.getAdvisors()) {
      if (isSame(each.getAdvice(), advice)) {
        return true;
      }
    }
    return false;
  }

  @SuppressWarnings("ReferenceEquality") // the advice of this context, not that of another one
  private static boolean isSame(Advice one, Advice other) {
    return one == other;
  }

  /** Targets that may change with each call are made by Spring for beans that are proxied alone. */
  private static @Nullable Advised next(Advised proxy) {
    TargetSource source = proxy.getTargetSource();
    try {
      return source.isStatic() && source.getTarget() instanceof Advised next ? next : null;
    } catch (Exception unavailable) {
      return null;
    }
  }
}
