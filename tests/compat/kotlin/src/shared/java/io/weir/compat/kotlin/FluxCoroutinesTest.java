package io.weir.compat.kotlin;

import io.weir.seeds.OneDayIn;
import org.springframework.boot.WebApplicationType;

@OneDayIn(2)
class FluxCoroutinesTest extends CoroutineChecks {
  FluxCoroutinesTest() {
    super(FluxShop.class, WebApplicationType.REACTIVE);
  }
}
