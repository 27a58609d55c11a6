package io.weir.example.servlet;

import io.weir.WeirBuilder;
import io.weir.compat.example.ExampleTests;
import io.weir.seeds.OneIn;
import java.io.IOException;

/** Tests every row of the table of endpoints, on Tomcat 11. */
@OneIn(4)
class ServletExampleTest extends ExampleTests {
  @Override
  protected Started start(WeirBuilder parts) throws IOException {
    Example example = Example.start(0, parts);
    return new Started(example.uri(), example);
  }
}
