package io.weir.spring.ordinary;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Also runs where the class path has the starter, and no other module of Weir. */
class StarterAloneTest {
  @Test
  void anEmptyAddressOfRulesNeedsNoModule() throws Exception {
    try (ConfigurableApplicationContext context =
        OrdinaryApplication.start(OrdinaryApplication.databaseWithTable(), "--weir.rules=")) {
      assertEquals(200, OrdinaryApplication.get(context, "/latest").statusCode());
    }
  }
}
