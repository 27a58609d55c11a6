package io.weir.example.jersey;

import io.weir.WeirBuilder;
import io.weir.compat.example.SwitchTests;
import java.io.IOException;

/** Tests settings that change while the example runs. */
class JerseySwitchTest extends SwitchTests {
  JerseySwitchTest() throws IOException {}

  @Override
  protected Started start(WeirBuilder parts) throws IOException {
    Example example = Example.start(0, parts);
    return new Started(example.uri(), example);
  }
}
