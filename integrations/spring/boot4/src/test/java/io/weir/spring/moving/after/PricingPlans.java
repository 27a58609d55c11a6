package io.weir.spring.moving.after;

import io.weir.Policy;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import org.springframework.stereotype.Component;

/** The plans of the page, with Weir. */
@Component
class PricingPlans implements TierResolver {
  @Override
  public CallerTier resolve(RequestInfo request, Policy policy) {
    String key = request.headers("X-Api-Key").stream().findFirst().orElse("");
    if (key.startsWith("PX")) {
      return CallerTier.named("professional");
    }
    return key.startsWith("BX") ? CallerTier.named("basic") : CallerTier.none();
  }
}
