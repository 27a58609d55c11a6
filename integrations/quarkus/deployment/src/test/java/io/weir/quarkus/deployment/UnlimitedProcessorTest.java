package io.weir.quarkus.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.deployment.Capabilities;
import io.quarkus.deployment.Capability;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnlimitedProcessorTest {
  @Test
  void refusesRestEasyClassicOnServlets() {
    assertEquals(1, errors(Set.of(Capability.RESTEASY, Capability.SERVLET)));
    assertEquals(0, errors(Set.of(Capability.RESTEASY)));
    assertEquals(0, errors(Set.of(Capability.RESTEASY_REACTIVE, Capability.SERVLET)));
  }

  private static int errors(Set<String> capabilities) {
    List<Object> errors = new ArrayList<>();
    new UnlimitedProcessor().servlets(new Capabilities(capabilities), errors::add);
    return errors.size();
  }
}
