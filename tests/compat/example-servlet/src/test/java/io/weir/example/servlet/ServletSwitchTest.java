package io.weir.example.servlet;

import io.weir.Ticker;
import io.weir.Weir;
import io.weir.compat.example.SwitchTests;
import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.util.Map;

/** Tests settings that change while the example runs. */
@DeepOnly
class ServletSwitchTest extends SwitchTests {
  ServletSwitchTest() throws IOException {}

  @Override
  protected Started start(Ticker time, Map<String, String> settings) throws IOException {
    Example example = Example.start(0, Weir.builder().ticker(time).settings(settings));
    return new Started(example.uri(), example);
  }
}
