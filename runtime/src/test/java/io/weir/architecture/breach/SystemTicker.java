package io.weir.architecture.breach;

/** No breach. */
final class SystemTicker {
  private SystemTicker() {}

  static long now() {
    return System.nanoTime();
  }
}
