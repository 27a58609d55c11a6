package io.weir.spring.page;

import io.weir.Policy;
import io.weir.spi.CallerTier;
import io.weir.spi.RequestInfo;
import io.weir.spi.TierResolver;
import org.springframework.stereotype.Component;

/** The tier resolver of docs/callers.md. */
@Component
public final class Plans implements TierResolver {
  @Override
  public CallerTier resolve(RequestInfo request, Policy policy) {
    return request.user().filter(this::pays).isPresent()
        ? CallerTier.named("premium")
        : CallerTier.none();
  }

  private boolean pays(String user) {
    return user.equals("root");
  }
}
