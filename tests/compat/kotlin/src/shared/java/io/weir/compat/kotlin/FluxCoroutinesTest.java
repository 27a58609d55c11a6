package io.weir.compat.kotlin;

import org.springframework.boot.WebApplicationType;

class FluxCoroutinesTest extends CoroutineChecks {
  FluxCoroutinesTest() {
    super(FluxShop.class, WebApplicationType.REACTIVE);
  }
}
