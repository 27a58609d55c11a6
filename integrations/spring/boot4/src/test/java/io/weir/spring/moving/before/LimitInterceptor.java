package io.weir.spring.moving.before;

import io.github.bucket4j.ConsumptionProbe;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;

/** The interceptor of the page, with Bucket4j. */
@Component
class LimitInterceptor implements HandlerInterceptor {
  private final PricingPlans plans;

  LimitInterceptor(PricingPlans plans) {
    this.plans = plans;
  }

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws Exception {
    String key = request.getHeader("X-Api-Key");
    if (key == null) {
      response.sendError(400, "X-Api-Key is missing");
      return false;
    }
    ConsumptionProbe probe = plans.bucketOf(key).tryConsumeAndReturnRemaining(1);
    if (!probe.isConsumed()) {
      long seconds = probe.getNanosToWaitForRefill() / 1_000_000_000;
      response.addHeader("X-Rate-Limit-Retry-After-Seconds", "" + seconds);
      response.sendError(429, "You have used up your plan");
      return false;
    }
    response.addHeader("X-Rate-Limit-Remaining", "" + probe.getRemainingTokens());
    return true;
  }
}
