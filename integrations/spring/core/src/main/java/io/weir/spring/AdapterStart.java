package io.weir.spring;

import io.weir.adapter.Adapter;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.SmartLifecycle;

/**
 * Notes the end of the application's start, when all beans are made and before the web server takes
 * requests, and logs the table of policies. Since a lifecycle is made at every start, so is the
 * Weir where beans are lazy.
 */
final class AdapterStart implements SmartLifecycle {
  /** Before the web server of Spring Boot, whose phase is the default one less 2048. */
  static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 2048 - 1024;

  private static final System.Logger LOG = System.getLogger("io.weir.spring");

  private final Adapter adapter;
  private final AtomicBoolean logged = new AtomicBoolean();
  private volatile boolean running;

  AdapterStart(Adapter adapter) {
    this.adapter = adapter;
  }

  @Override
  public void start() {
    adapter.started();
    if (logged.compareAndSet(false, true)) { // tests pause contexts, and start them again
      LOG.log(System.Logger.Level.INFO, adapter.weir()::table);
    }
    running = true;
  }

  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
