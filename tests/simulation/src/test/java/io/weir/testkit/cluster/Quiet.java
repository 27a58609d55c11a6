package io.weir.testkit.cluster;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps what limiters log about thousands of simulated outages out of the build's output. */
final class Quiet implements BeforeAllCallback, AfterAllCallback {
  private final Logger logger = Logger.getLogger("io.weir");

  @Override
  public void beforeAll(ExtensionContext context) {
    logger.setLevel(Level.OFF);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    logger.setLevel(null);
  }
}
