package io.weir.compat.kotlin;

import org.springframework.boot.WebApplicationType;

class MvcCoroutinesTest extends CoroutineChecks {
  MvcCoroutinesTest() {
    super(MvcShop.class, WebApplicationType.SERVLET);
  }
}
