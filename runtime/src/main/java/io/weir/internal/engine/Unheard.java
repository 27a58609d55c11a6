package io.weir.internal.engine;

import io.weir.internal.permits.StoreListener;

/** Events that nobody hears: those of this node's own count. */
enum Unheard implements StoreListener {
  INSTANCE;

  @Override
  public void storeExecuted(int claims, long nanos) {}

  @Override
  public void failed(Throwable cause) {}

  @Override
  public void answered() {}
}
