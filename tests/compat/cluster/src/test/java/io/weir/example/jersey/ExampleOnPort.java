package io.weir.example.jersey;

import io.weir.WeirBuilder;
import java.io.IOException;

/** The example for tests in other packages, since it has no public API. */
public final class ExampleOnPort {
  private ExampleOnPort() {}

  /**
   * Starts it; it ends with the JVM.
   *
   * @return where it listens
   */
  public static int start(WeirBuilder parts) throws IOException {
    return Example.start(0, parts).uri().getPort();
  }
}
