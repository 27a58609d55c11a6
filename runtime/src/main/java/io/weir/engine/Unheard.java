package io.weir.engine;

import io.weir.writeback.WriteBackEvents;

/** Events that nobody hears: those of this node's own count. */
enum Unheard implements WriteBackEvents {
  INSTANCE;

  @Override
  public void settled(int claims, long nanos) {}

  @Override
  public void failed(Throwable cause) {}

  @Override
  public void answered() {}
}
