package io.weir.example.servlet;

import io.weir.Ticker;
import io.weir.Weir;
import io.weir.compat.example.ExampleTests;
import io.weir.seeds.RunOneIn;
import java.io.IOException;
import java.util.Map;

/** Tests every row of the table of endpoints, on Tomcat 11. */
@RunOneIn(2)
class ServletExampleTest extends ExampleTests {
  @Override
  protected Started start(Ticker time, Map<String, String> settings) throws IOException {
    Example example = Example.start(0, Weir.builder().ticker(time).settings(settings));
    return new Started(example.uri(), example);
  }

  @Override
  public long compared() {
    return Passwords.compared();
  }
}
