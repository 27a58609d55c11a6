package io.weir.example.jersey;

import io.weir.Ticker;
import io.weir.Weir;
import io.weir.compat.example.SwitchTests;
import java.io.IOException;
import java.util.Map;

/** Tests settings that change while the example runs. */
class JerseySwitchTest extends SwitchTests {
  JerseySwitchTest() throws IOException {}

  @Override
  protected Started start(Ticker time, Map<String, String> settings) throws IOException {
    Example example = Example.start(0, Weir.builder().ticker(time).settings(settings));
    return new Started(example.uri(), example);
  }
}
