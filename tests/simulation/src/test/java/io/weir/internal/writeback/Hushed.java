package io.weir.internal.writeback;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps what is logged off the console, and warnings for the test that expects them. */
public final class Hushed extends Handler implements BeforeEachCallback, AfterEachCallback {
  private static final Logger LOG = Logger.getLogger("io.weir");
  private static final List<String> LINES = new ArrayList<>();

  private static boolean broken;

  /** From now on each line that is logged in this test throws. */
  public static void breakLog() {
    broken = true;
  }

  /** The warnings of this test so far. */
  public static List<String> lines() {
    return LINES;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    LINES.clear();
    broken = false;
    LOG.addHandler(this);
    LOG.setUseParentHandlers(false);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    LOG.removeHandler(this);
    LOG.setUseParentHandlers(true);
  }

  @Override
  public void publish(LogRecord line) {
    if (broken) {
      throw new IllegalStateException("the log is full");
    }
    if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
      LINES.add(line.getMessage());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
