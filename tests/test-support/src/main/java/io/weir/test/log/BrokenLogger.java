package io.weir.test.log;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Throws at each line that Weir logs, until it is closed, as with a full disk. */
public final class BrokenLogger extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger("io.weir");

  public BrokenLogger() {
    logger.addHandler(this);
  }

  @Override
  public void publish(LogRecord line) {
    throw new IllegalStateException("the disk is full");
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
