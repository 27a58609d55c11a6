package io.weir.example.spring;

import io.weir.Policy;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import org.springframework.stereotype.Component;

/** Makes callers premium if their key begins with {@code premium-}. */
@Component
class PremiumTier implements TierResolver {
  @Override
  public CallerTier resolve(RequestInfo request, Policy policy) {
    boolean premium =
        request.headers("X-Api-Key").stream().findFirst().orElse("").startsWith("premium-");
    return premium ? CallerTier.named("premium") : CallerTier.none();
  }
}
