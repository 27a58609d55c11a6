package io.weir.example.jersey;

import io.weir.compat.example.ExampleTests;
import io.weir.guard.WeirBuilder;
import java.io.IOException;

/** Every row of the table of endpoints, on Jersey and Grizzly. */
class JerseyExampleTest extends ExampleTests {
  @Override
  protected Started start(WeirBuilder parts) throws IOException {
    Example example = Example.start(0, parts);
    return new Started(example.uri(), example);
  }
}
