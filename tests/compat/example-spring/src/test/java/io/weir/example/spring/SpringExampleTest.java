package io.weir.example.spring;

import io.weir.Ticker;
import io.weir.compat.example.ExampleTests;
import io.weir.seeds.RunOneIn;
import java.util.Map;

/** Tests every row of the table of endpoints, on Spring Boot. */
@RunOneIn(5)
class SpringExampleTest extends ExampleTests {
  @Override
  protected Started start(Ticker ticker, Map<String, String> settings) {
    return StartedExample.start(ticker, settings);
  }

  @Override
  public long compared() {
    return Passwords.compared();
  }
}
