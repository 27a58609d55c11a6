package io.weir.example.spring;

import io.weir.Ticker;
import io.weir.compat.example.SwitchTests;
import io.weir.seeds.DeepOnly;
import java.io.IOException;
import java.util.Map;

/** Tests settings that change while the example runs. */
@DeepOnly
class SpringSwitchTest extends SwitchTests {
  SpringSwitchTest() throws IOException {}

  @Override
  protected Started start(Ticker ticker, Map<String, String> settings) {
    return StartedExample.start(ticker, settings);
  }
}
