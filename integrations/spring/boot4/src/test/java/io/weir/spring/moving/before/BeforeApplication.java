package io.weir.spring.moving.before;

import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application as it was before. */
public final class BeforeApplication {
  /** Its endpoint. */
  @RestController
  static final class Area {
    @GetMapping("/area")
    String area() {
      return "6.0";
    }
  }

  private BeforeApplication() {}

  /** Starts it without a server. */
  public static MockMvc start() {
    return MockMvcBuilders.standaloneSetup(new Area())
        .addInterceptors(new LimitInterceptor(new PricingPlans()))
        .build();
  }
}
