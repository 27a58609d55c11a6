package io.weir.example.servlet;

import io.weir.WeirBuilder;
import io.weir.compat.example.SwitchTests;
import io.weir.seeds.DeepOnly;
import java.io.IOException;

/** Tests settings that change while the example runs. */
@DeepOnly
class ServletSwitchTest extends SwitchTests {
  ServletSwitchTest() throws IOException {}

  @Override
  protected Started start(WeirBuilder parts) throws IOException {
    Example example = Example.start(0, parts);
    return new Started(example.uri(), example);
  }
}
