package io.weir.compat.kotlin;

import io.weir.seeds.OneDayIn;
import org.springframework.boot.WebApplicationType;

/** Coroutines of WebFlux. {@link MvcCoroutinesTest} runs the same checks in every build. */
@OneDayIn(3)
class FluxCoroutinesTest extends CoroutineChecks {
  FluxCoroutinesTest() {
    super(FluxShop.class, WebApplicationType.REACTIVE);
  }
}
