package io.weir.internal.engine;

import io.weir.Ticker;

/** Says nothing in the log. Safe for concurrent use. */
final class UnheardOutage extends OutageLog {
  UnheardOutage(Ticker ticker) {
    super(ticker);
  }

  @Override
  void failed(Throwable cause) {}

  @Override
  void answered() {}
}
