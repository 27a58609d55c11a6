package io.weir.spring;

import io.weir.adapter.Adapter;
import org.springframework.context.SmartLifecycle;

/**
 * Notes the end of the application's start, when all beans are made and before the web server takes
 * requests. Since a lifecycle is made at every start, so is the Weir where beans are lazy.
 */
final class AdapterStart implements SmartLifecycle {
  /** Before the web server of Spring Boot, whose phase is the default one less 2048. */
  static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 2048 - 1024;

  private final Adapter adapter;
  private volatile boolean running;

  AdapterStart(Adapter adapter) {
    this.adapter = adapter;
  }

  @Override
  public void start() {
    adapter.started();
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
